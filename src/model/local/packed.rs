//! The packed weight layout that all kernels read.
//!
//! A matrix of `rows x columns` is cut into tiles of 16 rows (the last one filled up with zeros); a tile holds its
//! scales, then its numbers:
//!
//! ```text
//! tile    := scales numbers
//! scales  := for each block of 32 columns: 16 factors f16 [, 16 minima f16: Q4_1 only]
//! numbers := for each block of 32 columns: lines of 64 bytes
//! line    := 16 rows x 4 consecutive columns      a "quad" a row, rows in order
//! ```
//!
//! Q8_0 has eight lines a block, line `g` being columns `4g .. 4g+4` as signed bytes. The 4-bit types have four lines a
//! block: low halves are quad `g`, high halves quad `g + 4`. F16 has no scales; its lines are two columns of 16 rows.
//! One line is two AVX2 registers (8 rows each), one AVX-512 register and plain bytes for the portable kernel, so one
//! layout serves all. A tile takes the bytes that its rows take in the file.

use std::ops::Range;
use std::sync::Arc;

use memmap2::MmapMut;
use rayon::prelude::*;

use super::gguf::{Reason, TensorView};
use super::tensor_type::{TensorType, half_to_f32};

/// Rows of a tile.
pub const ROWS: usize = 16;
/// Columns that share a scale.
pub const BLOCK: usize = 32;
/// Bytes of a line of a quantised type.
pub const LINE: usize = 64;

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `factor * (0..=15) + minimum`
    Q4_1,
    /// `factor * (-8..=7)`
    Q4_0,
    /// `factor * (-128..=127)`
    Q8_0,
    /// Half-precision numbers.
    F16,
}

impl Format {
    /// The layout that holds exactly what a type of the file holds.
    pub fn of(kind: TensorType) -> Option<Self> {
        match kind {
            TensorType::Q4_0 => Some(Format::Q4_0),
            TensorType::Q4_1 => Some(Format::Q4_1),
            TensorType::Q8_0 => Some(Format::Q8_0),
            TensorType::F16 => Some(Format::F16),
            TensorType::F32
            | TensorType::Bf16
            | TensorType::Q5_0
            | TensorType::Q5_1
            | TensorType::Q2K
            | TensorType::Q3K
            | TensorType::Q4K
            | TensorType::Q5K
            | TensorType::Q6K => None,
        }
    }

    /// The type of the file that it is laid out from.
    fn kind(self) -> TensorType {
        match self {
            Format::Q4_1 => TensorType::Q4_1,
            Format::Q4_0 => TensorType::Q4_0,
            Format::Q8_0 => TensorType::Q8_0,
            Format::F16 => TensorType::F16,
        }
    }

    /// Bytes of the scales of one block of a tile.
    pub const fn scale_bytes(self) -> usize {
        match self {
            Format::Q4_1 => 4 * ROWS,
            Format::Q4_0 | Format::Q8_0 => 2 * ROWS,
            Format::F16 => 0,
        }
    }

    /// Bytes of the numbers of one block of a tile.
    pub const fn number_bytes(self) -> usize {
        match self {
            Format::Q4_1 | Format::Q4_0 => 4 * LINE,
            Format::Q8_0 => 8 * LINE,
            Format::F16 => 2 * ROWS * BLOCK,
        }
    }

    fn tile_bytes(self, columns: usize) -> usize {
        columns / BLOCK * (self.scale_bytes() + self.number_bytes())
    }

    /// Where a byte of a block's numbers in the file goes among those of the tile, and which bits of it.
    fn places(self, row: usize, column: usize) -> (usize, u32) {
        let quad = column / 4;
        match self {
            Format::Q4_1 | Format::Q4_0 => (quad % 4 * LINE + row * 4 + column % 4, quad as u32 / 4 * 4),
            Format::Q8_0 => (quad * LINE + row * 4 + column % 4, 0),
            Format::F16 => ((column * ROWS + row) * 2, 0),
        }
    }
}

/// A matrix that is to be packed: tensors of the same width, one below the other.
pub struct Plan<'f, 'a> {
    tensors: Vec<&'f TensorView<'a>>,
    format: Format,
    rows: usize,
    columns: usize,
}

impl<'f, 'a> Plan<'f, 'a> {
    /// What cannot be stored as it is becomes F16 in a network of floats and Q8_0 in one of bytes.
    ///
    /// # Errors
    /// When the width is no multiple of 32, or tensors that are stacked have rows that do not fill tiles.
    pub fn new(tensors: Vec<&'f TensorView<'a>>, floats: bool) -> Result<Self, Reason> {
        let first = tensors.first().ok_or("no tensor to pack")?;
        let columns = first.dims[0];
        if columns == 0 || !columns.is_multiple_of(BLOCK) {
            return Err(format!("tensor {:?} is {columns} wide, which is no multiple of {BLOCK}", first.name));
        }
        if let Some(odd) = tensors.iter().find(|t| tensors.len() > 1 && !t.dims[1].is_multiple_of(ROWS)) {
            return Err(format!("tensor {:?} has {} rows, which is no multiple of {ROWS}", odd.name, odd.dims[1]));
        }
        let same = tensors.iter().all(|t| t.kind == first.kind);
        let format = match Format::of(first.kind).filter(|f| same && *f != Format::F16) {
            _ if floats => Format::F16,
            Some(format) => format,
            None => Format::Q8_0,
        };
        let rows = tensors.iter().map(|t| t.dims[1]).sum();
        Ok(Plan { tensors, format, rows, columns })
    }

    fn bytes(&self) -> usize {
        self.rows.div_ceil(ROWS) * self.format.tile_bytes(self.columns)
    }

    fn fill(&self, out: &mut [u8]) -> Result<(), Reason> {
        let tile_bytes = self.format.tile_bytes(self.columns);
        let mut rest = out;
        for tensor in &self.tensors {
            // A row is whole blocks: that was checked when the table was read.
            let row_bytes = self.columns / tensor.kind.block_elements() * tensor.kind.block_bytes();
            let (here, after) = rest.split_at_mut(tensor.dims[1].div_ceil(ROWS) * tile_bytes);
            rest = after;
            here.par_chunks_mut(tile_bytes)
                .zip(tensor.data.par_chunks(row_bytes * ROWS))
                .try_for_each(|(tile, rows)| self.lay_out(tensor, rows, row_bytes, tile))?;
        }
        Ok(())
    }

    /// Lays up to 16 rows of the file out as a tile.
    fn lay_out(&self, tensor: &TensorView, rows: &[u8], row_bytes: usize, out: &mut [u8]) -> Result<(), Reason> {
        if tensor.kind == self.format.kind() {
            self.interleave(rows, row_bytes, out);
            return Ok(());
        }
        let mut values = vec![0.0; rows.len() / row_bytes * self.columns];
        tensor.kind.decode(rows, &mut values).map_err(|e| format!("tensor {:?}: {e}", tensor.name))?;
        let stored = super::tensor_type::encode(self.format.kind(), &values)?;
        let row_bytes = stored.len() / (values.len() / self.columns);
        self.interleave(&stored, row_bytes, out);
        Ok(())
    }

    fn interleave(&self, rows: &[u8], row_bytes: usize, out: &mut [u8]) {
        let (format, blocks) = (self.format, self.columns / BLOCK);
        let (scales, numbers) = out.split_at_mut(blocks * format.scale_bytes());
        let in_file = row_bytes / blocks;
        for (r, row) in rows.chunks_exact(row_bytes).enumerate() {
            for (b, block) in row.chunks_exact(in_file).enumerate() {
                let (from_scales, from) = block.split_at(format.scale_bytes() / ROWS);
                for (i, scale) in from_scales.as_chunks::<2>().0.iter().enumerate() {
                    let at = b * format.scale_bytes() + (i * ROWS + r) * 2;
                    scales[at..at + 2].copy_from_slice(scale);
                }
                let to = &mut numbers[b * format.number_bytes()..(b + 1) * format.number_bytes()];
                match format {
                    Format::F16 => {
                        for (c, half) in from.as_chunks::<2>().0.iter().enumerate() {
                            let (at, _) = format.places(r, c);
                            to[at..at + 2].copy_from_slice(half);
                        }
                    }
                    // Of the 4-bit types the file has columns 0..16 in the low halves and 16..32 in the high ones, as here.
                    Format::Q4_0 | Format::Q4_1 | Format::Q8_0 => {
                        for (line, quad) in to.as_chunks_mut::<LINE>().0.iter_mut().zip(from.as_chunks::<4>().0) {
                            line[4 * r..4 * r + 4].copy_from_slice(quad);
                        }
                    }
                }
            }
        }
    }
}

/// Packs matrices into one piece of memory, in parallel, in order.
///
/// # Errors
/// When a tensor cannot be decoded or the memory is not to be had.
pub fn pack(plans: &[Plan]) -> Result<Vec<Packed>, Reason> {
    let total: usize = plans.iter().map(Plan::bytes).sum();
    let mut memory = MmapMut::map_anon(total.max(1)).map_err(|e| format!("{total} bytes for its weights: {e}"))?;
    // A pass walks through all of it: with large pages the processor looks up fewer addresses. A wish only.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    let mut pieces = Vec::with_capacity(plans.len());
    let mut rest = &mut memory[..];
    for plan in plans {
        let (piece, after) = rest.split_at_mut(plan.bytes());
        pieces.push((plan, piece));
        rest = after;
    }
    pieces.into_par_iter().try_for_each(|(plan, piece)| plan.fill(piece))?;
    let memory = Arc::new(memory);
    let mut start = 0;
    Ok(plans
        .iter()
        .map(|plan| {
            let place = start..start + plan.bytes();
            start = place.end;
            Packed { format: plan.format, rows: plan.rows, columns: plan.columns, memory: Arc::clone(&memory), place }
        })
        .collect())
}

/// A matrix in the packed layout.
#[derive(Clone)]
pub struct Packed {
    format: Format,
    rows: usize,
    columns: usize,
    memory: Arc<MmapMut>,
    place: Range<usize>,
}

/// One tile: scales of all its blocks and numbers of all its blocks.
#[derive(Clone, Copy)]
pub struct Tile<'a> {
    pub format: Format,
    pub scales: &'a [u8],
    pub numbers: &'a [u8],
}

impl Packed {
    /// Tiles of 16 rows, the last one perhaps not full.
    pub fn tiles(&self) -> usize {
        self.rows.div_ceil(ROWS)
    }

    /// A tile; panics when there is none of that number.
    pub fn tile(&self, tile: usize) -> Tile<'_> {
        let size = self.format.tile_bytes(self.columns);
        let bytes = &self.memory[self.place.clone()][tile * size..(tile + 1) * size];
        let (scales, numbers) = bytes.split_at(self.columns / BLOCK * self.format.scale_bytes());
        Tile { format: self.format, scales, numbers }
    }

    /// Decodes one row, `out` being as long as a row. Panics when there is no such row.
    pub fn decode_row(&self, row: usize, out: &mut [f32]) {
        let tile = self.tile(row / ROWS);
        for (column, value) in out.iter_mut().enumerate().take(self.columns) {
            *value = tile.weight(row % ROWS, column);
        }
    }
}

impl Tile<'_> {
    /// One weight, slowly.
    pub fn weight(&self, row: usize, column: usize) -> f32 {
        let (block, within) = (column / BLOCK, column % BLOCK);
        let half = |bytes: &[u8], at: usize| half_to_f32(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let scale = |i: usize| half(self.scales, block * self.format.scale_bytes() + (i * ROWS + row) * 2);
        let (place, shift) = self.format.places(row, within);
        let at = block * self.format.number_bytes() + place;
        let nibble = || f32::from(self.numbers[at] >> shift & 15);
        match self.format {
            Format::Q4_1 => scale(0) * nibble() + scale(1),
            Format::Q4_0 => scale(0) * (nibble() - 8.0),
            Format::Q8_0 => scale(0) * f32::from(self.numbers[at] as i8),
            Format::F16 => half(self.numbers, at),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A stream of reproducible noise.
    pub struct Noise(pub u64);

    impl Noise {
        pub fn byte(&mut self) -> u8 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as u8
        }

        /// Between -1 and 1.
        pub fn float(&mut self) -> f32 {
            (f32::from(self.byte()) + f32::from(self.byte()) / 256.0) / 128.0 - 1.0
        }
    }

    /// File bytes of a random matrix.
    pub fn random_bytes(kind: TensorType, rows: usize, columns: usize, seed: u64) -> Vec<u8> {
        let mut noise = Noise(seed);
        let values: Vec<f32> = (0..rows * columns).map(|_| noise.float()).collect();
        super::super::tensor_type::encode(kind, &values).unwrap()
    }

    pub fn view<'a>(kind: TensorType, rows: usize, columns: usize, data: &'a [u8]) -> TensorView<'a> {
        TensorView { name: "random", dims: [columns, rows, 1, 1], rank: 2, kind, data }
    }

    pub fn packed(kind: TensorType, rows: usize, columns: usize, data: &[u8], floats: bool) -> Packed {
        let view = view(kind, rows, columns, data);
        pack(&[Plan::new(vec![&view], floats).unwrap()]).unwrap().remove(0)
    }

    pub const KINDS: [TensorType; 3] = [TensorType::Q4_1, TensorType::Q4_0, TensorType::Q8_0];

    fn rows_of(packed: &Packed, rows: usize, columns: usize) -> Vec<f32> {
        let mut got = vec![0.0; rows * columns];
        for (row, got) in got.chunks_exact_mut(columns).enumerate() {
            packed.decode_row(row, got);
        }
        got
    }

    #[test]
    fn every_weight_survives_packing_also_in_a_tile_that_is_not_full() {
        for (kind, rows) in
            [48, 41].into_iter().flat_map(|r| KINDS.map(|k| (k, r)).into_iter().chain([(TensorType::F16, r)]))
        {
            let columns = 96;
            let data = random_bytes(kind, rows, columns, 5);
            let mut wanted = vec![0.0; rows * columns];
            kind.decode(&data, &mut wanted).unwrap();
            let packed = packed(kind, rows, columns, &data, kind == TensorType::F16);
            assert_eq!(rows_of(&packed, rows, columns), wanted, "{}", kind.name());
        }
    }

    #[test]
    fn other_types_are_stored_close_to_what_they_were() {
        let (rows, columns) = (16, 256);
        for kind in TensorType::ALL {
            let data = random_bytes(kind, rows, columns, 6);
            let mut wanted = vec![0.0; rows * columns];
            kind.decode(&data, &mut wanted).unwrap();
            for (floats, tolerance) in [(false, 1.0 / 200.0), (true, 1.0 / 1900.0)] {
                let got = rows_of(&packed(kind, rows, columns, &data, floats), rows, columns);
                for (g, w) in got.iter().zip(&wanted) {
                    assert!((g - w).abs() <= 1.1 * tolerance, "{} {g} {w}", kind.name());
                }
            }
        }
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let data = random_bytes(TensorType::Q8_0, 17, 32, 1);
        let odd = view(TensorType::Q8_0, 17, 32, &data);
        assert!(Plan::new(vec![&odd, &odd], false).is_err());
        assert!(Plan::new(vec![], false).is_err());
        let narrow = view(TensorType::F32, 2, 24, &data[..192]);
        assert!(Plan::new(vec![&narrow], false).is_err());
    }
}
