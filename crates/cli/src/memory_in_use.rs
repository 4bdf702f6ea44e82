//! The allocator, and what it says.

use tikv_jemalloc_ctl::{epoch, stats};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The bytes of all blocks that are in use. What the process holds is more, for between blocks there are gaps; but what is
/// dropped is gone from this number at once, while the gaps wait for new blocks.
pub fn bytes_in_use() -> u64 {
    // The numbers are those of the last epoch.
    let read = || epoch::advance().and_then(|_| stats::allocated::read());
    read().map_or(0, |bytes| bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_counts_until_it_is_dropped() {
        const SIZE: u64 = 64 << 20;
        let before = bytes_in_use();
        let block = vec![1u8; SIZE as usize];
        let during = bytes_in_use();
        drop(block);
        let after = bytes_in_use();
        assert!(during >= before + SIZE / 2 && after + SIZE / 2 <= during, "{before}, {during}, {after}");
    }
}
