//! Time. The clock starts at the same moment in every run and passes by being looked at and slept on.

use super::Row;
use crate::sys::{Reply, Sys};
use osier_memory::Value;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_clock_gettime, run: clock },
    Row { number: libc::SYS_clock_getres, run: resolution },
    Row { number: libc::SYS_gettimeofday, run: time_of_day },
    Row { number: libc::SYS_time, run: time },
    Row { number: libc::SYS_times, run: times },
    Row { number: libc::SYS_nanosleep, run: |sys| sleep(sys, 0, false) },
    Row { number: libc::SYS_clock_nanosleep, run: sleep_by_clock },
    Row { number: libc::SYS_alarm, run: |_| Ok(0) },
    Row { number: libc::SYS_setitimer, run: |_| Ok(0) },
    Row { number: libc::SYS_getitimer, run: no_timer },
];

const SECOND: u64 = 1_000_000_000;

fn pair(seconds: u64, rest: u64) -> Vec<u8> {
    [seconds.to_le_bytes(), rest.to_le_bytes()].concat()
}

/// The time of day, or the time since the start for all other clocks.
fn clock(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.time = true;
    let realtime = matches!(sys.int(0)?, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE);
    let kernel = sys.kernel_mut();
    let now = if realtime { kernel.now() } else { kernel.since_start() };
    sys.bytes_out(sys.words[1], &pair(now / SECOND, now % SECOND))?;
    Ok(0)
}

fn resolution(sys: &mut Sys<'_>) -> Reply {
    if sys.words[1] != Value::Int(0) {
        sys.bytes_out(sys.words[1], &pair(0, 1))?;
    }
    Ok(0)
}

fn time_of_day(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.time = true;
    let now = sys.kernel_mut().now();
    if sys.words[0] != Value::Int(0) {
        sys.bytes_out(sys.words[0], &pair(now / SECOND, now % SECOND / 1000))?;
    }
    Ok(0)
}

fn time(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.time = true;
    let now = sys.kernel_mut().now() / SECOND;
    if sys.words[0] != Value::Int(0) {
        sys.bytes_out(sys.words[0], &now.to_le_bytes())?;
    }
    Ok(now)
}

/// In hundredths of a second.
fn times(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.time = true;
    let spent = sys.kernel_mut().since_start() / (SECOND / 100);
    if sys.words[0] != Value::Int(0) {
        sys.bytes_out(sys.words[0], &[pair(spent, 0), pair(0, 0)].concat())?;
    }
    Ok(spent)
}

fn sleep(sys: &mut Sys<'_>, request: usize, absolute: bool) -> Reply {
    let [seconds, rest] = sys.numbers_in(sys.words[request], [8, 8])?;
    let wanted = seconds.saturating_mul(SECOND).saturating_add(rest);
    let kernel = sys.kernel_mut();
    let now = kernel.now();
    kernel.pass(if absolute { wanted.saturating_sub(now) } else { wanted });
    Ok(0)
}

fn sleep_by_clock(sys: &mut Sys<'_>) -> Reply {
    let absolute = sys.int(1)? & libc::TIMER_ABSTIME != 0;
    sleep(sys, 2, absolute)
}

fn no_timer(sys: &mut Sys<'_>) -> Reply {
    sys.bytes_out(sys.words[1], &[pair(0, 0), pair(0, 0)].concat())?;
    Ok(0)
}
