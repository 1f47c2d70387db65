//! Keys and values of the positions read so far, allocated once, in half precision.
//!
//! Per layer and key head: keys as `[capacity / 8][head][8]`, so that one register holds the same column of eight
//! positions and no sum across a register is needed; values as `[capacity][head]`.

use super::kernels::Kernels;
use super::weights::Shape;

/// Positions of a block of keys.
const GROUP: usize = 8;

pub struct Cache {
    keys: Vec<u16>,
    values: Vec<u16>,
    kv_heads: usize,
    head: usize,
    capacity: usize,
}

impl Cache {
    /// Room for at least so many positions.
    pub fn new(shape: &Shape, capacity: usize) -> Self {
        // The kernels read keys in steps of 16 positions.
        let capacity = capacity.next_multiple_of(16);
        let size = shape.layers * shape.kv_heads * capacity * shape.head;
        Cache { keys: vec![0; size], values: vec![0; size], kv_heads: shape.kv_heads, head: shape.head, capacity }
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    fn start(&self, layer: usize, kv_head: usize) -> usize {
        (layer * self.kv_heads + kv_head) * self.capacity * self.head
    }

    /// Keys of a key head, `[capacity / 8][head][8]`.
    pub fn keys(&self, layer: usize, kv_head: usize) -> &[u16] {
        let start = self.start(layer, kv_head);
        &self.keys[start..start + self.capacity * self.head]
    }

    /// Values of a key head, `[capacity][head]`.
    pub fn values(&self, layer: usize, kv_head: usize) -> &[u16] {
        let start = self.start(layer, kv_head);
        &self.values[start..start + self.capacity * self.head]
    }

    /// Copies the positions `from..to` of another cache, `from` being a multiple of 16, to `at`, which is one as well.
    pub fn copy(&mut self, other: &Cache, from: usize, to: usize, at: usize) {
        for layer in 0..self.keys.len() / (self.kv_heads * self.capacity * self.head) {
            for kv_head in 0..self.kv_heads {
                let start = self.start(layer, kv_head);
                let keys = start + at * self.head;
                let padded = (to - from).next_multiple_of(GROUP) * self.head;
                self.keys[keys..keys + padded]
                    .copy_from_slice(&other.keys(layer, kv_head)[from * self.head..][..padded]);
                self.values[keys..keys + (to - from) * self.head]
                    .copy_from_slice(&other.values(layer, kv_head)[from * self.head..to * self.head]);
            }
        }
    }

    /// Puts key (already turned) and value of one position and key head in place.
    #[allow(clippy::too_many_arguments)]
    pub fn store(
        &mut self,
        kernels: &Kernels,
        layer: usize,
        kv_head: usize,
        position: usize,
        key: &[f32],
        value: &[f32],
        halves: &mut [u16],
    ) {
        let (head, start) = (self.head, self.start(layer, kv_head));
        kernels.halve(key, halves);
        let group = start + position / GROUP * GROUP * head + position % GROUP;
        for (to, half) in self.keys[group..].iter_mut().step_by(GROUP).zip(halves) {
            *to = *half;
        }
        let at = start + position * head;
        kernels.halve(value, &mut self.values[at..at + head]);
    }
}
