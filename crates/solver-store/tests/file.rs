//! A store outlives its process, is shared, bounded, and survives whatever happens to its file.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use osier_solver::{Key, Store, StoredAnswer};
use osier_solver_store::{FileStore, OpenError};
use tempfile::TempDir;

const BOUND: u64 = 1 << 30;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    (folder, path)
}

fn key(number: u64) -> Key {
    let mut random = fastrand::Rng::with_seed(number);
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    Key(bytes)
}

/// What is put under the key of that number.
fn answer(number: u64) -> StoredAnswer {
    match number % 3 {
        0 => StoredAnswer::Unsat,
        _ => StoredAnswer::Sat((0..number % 40).map(|i| (number + i) as u8).collect()),
    }
}

fn fill(path: &Path, numbers: std::ops::Range<u64>) {
    let mut store = FileStore::open(path, BOUND).unwrap();
    for number in numbers {
        store.put(key(number), &answer(number));
    }
    assert_eq!(store.finish(), Vec::<String>::new());
}

/// How many of the answers are there. One that is there is right.
fn count(store: &mut FileStore, numbers: std::ops::Range<u64>) -> usize {
    let found = numbers.filter(|&number| match store.get(&key(number)) {
        Some(found) => {
            assert_eq!(found, answer(number), "answer {number}");
            true
        }
        None => false,
    });
    found.count()
}

fn open_error(path: &Path) -> String {
    FileStore::open(path, BOUND).err().expect("not to be opened").to_string()
}

#[test]
fn answers_outlive_the_store_and_the_file_grows() {
    let (_folder, path) = place();
    fill(&path, 0..500);
    let small = fs::metadata(&path).unwrap().len();
    fill(&path, 500..50_000);
    let large = fs::metadata(&path).unwrap().len();
    assert!(small < 1 << 20 && large > 2 << 20, "{small} and {large} bytes");
    let mut store = FileStore::open(&path, BOUND).unwrap();
    assert_eq!(count(&mut store, 0..50_000), 50_000);
    assert_eq!(count(&mut store, 50_000..60_000), 0);
}

#[test]
fn what_waits_is_found_and_dropping_writes_it() {
    let (_folder, path) = place();
    let mut store = FileStore::open(&path, BOUND).unwrap();
    store.put(key(7), &answer(7));
    assert_eq!(store.get(&key(7)), Some(answer(7)));
    drop(store);
    assert_eq!(FileStore::open(&path, BOUND).unwrap().get(&key(7)), Some(answer(7)));
}

#[test]
fn a_later_answer_replaces_an_earlier_one() {
    let (_folder, path) = place();
    fill(&path, 0..10);
    let mut store = FileStore::open(&path, BOUND).unwrap();
    store.put(key(4), &answer(5));
    store.finish();
    assert_eq!(store.get(&key(4)), Some(answer(5)));
    assert_eq!(FileStore::open(&path, BOUND).unwrap().get(&key(4)), Some(answer(5)));
}

#[test]
fn the_bound_holds_and_the_newest_answers_stay() {
    let (_folder, path) = place();
    let bound = 300_000;
    let mut store = FileStore::open(&path, bound).unwrap();
    for number in 0..40_000 {
        store.put(key(number), &answer(number));
        if number % 1000 == 0 {
            assert!(fs::metadata(&path).unwrap().len() <= bound);
        }
    }
    store.finish();
    assert!(fs::metadata(&path).unwrap().len() <= bound);
    assert_eq!(count(&mut store, 39_000..40_000), 1000);
    assert_eq!(count(&mut store, 0..20_000), 0);
    drop(store);
    // A smaller bound than before shrinks the file and keeps what fits.
    let mut store = FileStore::open(&path, 100_000).unwrap();
    assert!(fs::metadata(&path).unwrap().len() <= 100_000);
    assert!(count(&mut store, 0..40_000) > 1000);
}

#[test]
fn long_answers_are_kept_up_to_a_length_and_do_not_blow_up_the_file() {
    let (_folder, path) = place();
    let mut store = FileStore::open(&path, BOUND).unwrap();
    for number in 0..100 {
        store.put(key(number), &StoredAnswer::Sat(vec![number as u8; 1900].into()));
    }
    store.put(key(1000), &StoredAnswer::Sat(vec![1; 100_000].into()));
    assert!(store.finish().is_empty());
    let kept = (0..100).filter(|&number| store.get(&key(number)).is_some()).count();
    assert!(kept > 90, "{kept} of 100 are kept");
    assert_eq!(store.get(&key(1000)), None);
    assert!(fs::metadata(&path).unwrap().len() <= 4 << 20);
}

#[test]
fn several_processes_share_a_file_while_it_grows() {
    let (_folder, path) = place();
    // Threads with a store each: locks belong to open files, not to processes.
    std::thread::scope(|scope| {
        for part in 0..4 {
            let path = &path;
            scope.spawn(move || fill(path, part * 5000..(part + 1) * 5000));
        }
    });
    let mut store = FileStore::open(&path, BOUND).unwrap();
    assert_eq!(count(&mut store, 0..20_000), 20_000);
    // An open store sees what another puts, also when that one replaces the file by a larger one.
    fill(&path, 20_000..60_000);
    count(&mut store, 0..2000);
    assert_eq!(count(&mut store, 20_000..60_000), 40_000);
}

#[test]
fn a_deleted_file_is_made_anew() {
    let (_folder, path) = place();
    let mut store = FileStore::open(&path, BOUND).unwrap();
    fs::remove_file(&path).unwrap();
    store.put(key(1), &answer(1));
    assert!(store.finish().is_empty());
    assert_eq!(count(&mut FileStore::open(&path, BOUND).unwrap(), 0..3), 1);
}

#[test]
fn files_that_are_no_stores_are_refused_and_left_alone() {
    let (folder, path) = place();
    for contents in ["some text that is mine\n".repeat(900), "x".into(), "osierQA".into()] {
        fs::write(&path, &contents).unwrap();
        assert!(open_error(&path).contains("is no cache of answers"), "{}", open_error(&path));
        assert_eq!(fs::read_to_string(&path).unwrap(), contents);
    }
    assert!(open_error(folder.path()).contains("cannot use"));
    assert!(open_error(&folder.path().join("no/such/folder")).contains("No such file"));
    assert!(matches!(FileStore::open(&folder.path().join("new"), 100), Err(OpenError::NoRoom { .. })));
}

#[test]
fn another_version_is_refused() {
    let (_folder, path) = place();
    fill(&path, 0..10);
    let mut bytes = fs::read(&path).unwrap();
    bytes[12] ^= 1;
    let sum = blake3::hash(&bytes[..20]);
    bytes[20..28].copy_from_slice(&sum.as_bytes()[..8]);
    fs::write(&path, &bytes).unwrap();
    assert!(open_error(&path).contains("another version"), "{}", open_error(&path));
}

#[test]
fn a_cut_file_is_refused_at_every_length() {
    let (_folder, path) = place();
    fill(&path, 0..3000);
    let bytes = fs::read(&path).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    for length in (1..40).chain((0..200).map(|_| random.usize(1..bytes.len()))) {
        fs::write(&path, &bytes[..length]).unwrap();
        let message = open_error(&path);
        assert!(message.contains("damaged or was cut") || message.contains("is no cache"), "{length}: {message}");
        assert!(message.contains(path.to_str().unwrap()));
    }
}

#[test]
fn an_empty_file_and_one_whose_making_was_cut_short_are_taken() {
    let (_folder, path) = place();
    for contents in [vec![], vec![0; 5000]] {
        fs::write(&path, contents).unwrap();
        fill(&path, 0..100);
        assert_eq!(count(&mut FileStore::open(&path, BOUND).unwrap(), 0..100), 100);
    }
}

/// Bits flip anywhere: the file is refused, or what it says is what was put. Nothing that still stands before the place
/// in its page is lost, and the store goes on working.
#[test]
fn flipped_bits_never_make_a_wrong_answer() {
    let (_folder, path) = place();
    fill(&path, 0..3000);
    let bytes = fs::read(&path).unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    let mut lost = 0;
    for round in 0..300 {
        let mut flipped = bytes.clone();
        for _ in 0..1 + round % 8 {
            let at = random.usize(0..flipped.len());
            flipped[at] ^= 1 << random.u32(0..8);
        }
        fs::write(&path, &flipped).unwrap();
        match FileStore::open(&path, BOUND) {
            Ok(mut store) => {
                lost += 3000 - count(&mut store, 0..3000);
                for number in 5000..5100 {
                    store.put(key(number), &answer(number));
                }
                store.finish();
                assert_eq!(count(&mut store, 5000..5100), 100);
            }
            Err(cause) => {
                assert!(cause.to_string().contains("is damaged") || cause.to_string().contains("is no cache"))
            }
        }
    }
    assert!(lost > 0, "no flip hit a record");
    assert!(lost < 300 * 400, "{lost} answers lost");
}

/// A write that stops anywhere leaves all earlier answers there, and later ones find their place.
#[test]
fn a_torn_record_is_ignored_and_overwritten() {
    let (_folder, path) = place();
    fill(&path, 0..300);
    let before = fs::read(&path).unwrap();
    fill(&path, 300..301);
    let after = fs::read(&path).unwrap();
    let written: Vec<usize> = (0..after.len()).filter(|&i| before[i] != after[i]).collect();
    let (first, last) = (written[0], written[written.len() - 1]);
    for end in first..last {
        let mut torn = before.clone();
        torn[first..end].copy_from_slice(&after[first..end]);
        fs::write(&path, &torn).unwrap();
        let mut store = FileStore::open(&path, BOUND).unwrap();
        assert_eq!(count(&mut store, 0..301), 300, "written up to {end}");
        store.put(key(300), &answer(300));
        assert!(store.finish().is_empty());
        drop(store);
        assert_eq!(fs::read(&path).unwrap(), after);
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_open_costs_answers_and_no_more() {
    let (_folder, path) = place();
    fill(&path, 0..3000);
    let mut store = FileStore::open(&path, BOUND).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(50_000).unwrap();
    assert!(count(&mut store, 0..3000) < 3000);
    file.write_all_at(&[0xff; 30_000], 10_000).unwrap();
    count(&mut store, 0..3000);
    store.put(key(9000), &answer(9000));
    for number in 9000..9300 {
        store.put(key(number), &answer(number));
    }
    assert!(!store.finish().is_empty());
}
