//! The same bits in other pieces: lane 0 holds the lowest bits.

use super::{FunctionLowerer, Parts};
use osier_ir::{BinOp, Operand};

impl FunctionLowerer<'_, '_> {
    /// Cuts the bits of `parts` (of the widths `from`) into pieces of the widths `to`.
    pub(super) fn repack(&mut self, parts: &[Operand], from: &[u8], to: &[u8]) -> Parts {
        if from == to {
            return Parts::from_slice(parts);
        }
        let mut result = Parts::new();
        let mut low = 0;
        for &width in to {
            let high = low + i64::from(width);
            let piece = self.gather(parts, from, low, high);
            result.push(piece);
            low = high;
        }
        result
    }

    /// The bits `low..high` of the concatenated parts, as one integer; below and above the parts there are zeros.
    pub(super) fn gather(&mut self, parts: &[Operand], from: &[u8], low: i64, high: i64) -> Operand {
        let width = (high - low) as u8;
        let mut sum: Option<Operand> = None;
        let mut start = 0;
        for (&part, &part_width) in parts.iter().zip(from) {
            let end = start + i64::from(part_width);
            let (first, last) = (start.max(low), end.min(high));
            if first < last {
                let piece = self.piece(part, part_width, (first - start) as u8, (last - first) as u8);
                let placed = self.place(piece, (last - first) as u8, (first - low) as u8, width);
                sum = Some(match sum {
                    None => placed,
                    Some(sum) => self.bin(BinOp::Or, width, sum, placed),
                });
            }
            start = end;
        }
        sum.unwrap_or_else(|| self.int(width, 0))
    }

    /// `count` bits of a register from bit `start` on.
    pub(super) fn piece(&mut self, part: Operand, width: u8, start: u8, count: u8) -> Operand {
        let shifted = if start == 0 {
            part
        } else {
            let amount = self.int(width, start.into());
            self.bin(BinOp::LShr, width, part, amount)
        };
        self.resize(width, count, shifted)
    }

    /// A piece widened and moved up to where it belongs.
    fn place(&mut self, piece: Operand, piece_width: u8, at: u8, width: u8) -> Operand {
        let wide = self.resize(piece_width, width, piece);
        if at == 0 {
            return wide;
        }
        let amount = self.int(width, at.into());
        self.bin(BinOp::Shl, width, wide, amount)
    }
}
