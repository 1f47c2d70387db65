//! How weights are stored in a GGUF file, and turning them into `f32`.
//!
//! A quantised tensor is a row of blocks; each block holds 32 (or 256) weights and their scale. The simple types
//! are decoded here straight into place, the K types by candle. Source of the layouts: `ggml-common.h` in the
//! ggml repository.

use std::borrow::Cow;

use candle_core::Device;
use candle_core::quantized::{GgmlDType, QStorage, QTensor};

/// The storage types that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TensorType {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
}

/// Weights in a block of the simple types.
const BLOCK: usize = 32;
/// Weights in a block of the K types.
const SUPER_BLOCK: usize = 256;

impl TensorType {
    /// Every supported type.
    pub const ALL: [TensorType; 13] = [
        TensorType::F32,
        TensorType::F16,
        TensorType::Bf16,
        TensorType::Q4_0,
        TensorType::Q4_1,
        TensorType::Q5_0,
        TensorType::Q5_1,
        TensorType::Q8_0,
        TensorType::Q2K,
        TensorType::Q3K,
        TensorType::Q4K,
        TensorType::Q5K,
        TensorType::Q6K,
    ];

    /// The name used by everybody.
    pub fn name(self) -> &'static str {
        match self {
            TensorType::F32 => "F32",
            TensorType::F16 => "F16",
            TensorType::Bf16 => "BF16",
            TensorType::Q4_0 => "Q4_0",
            TensorType::Q4_1 => "Q4_1",
            TensorType::Q5_0 => "Q5_0",
            TensorType::Q5_1 => "Q5_1",
            TensorType::Q8_0 => "Q8_0",
            TensorType::Q2K => "Q2_K",
            TensorType::Q3K => "Q3_K",
            TensorType::Q4K => "Q4_K",
            TensorType::Q5K => "Q5_K",
            TensorType::Q6K => "Q6_K",
        }
    }

    /// The number that stands for the type in a file.
    pub fn number(self) -> u32 {
        match self {
            TensorType::F32 => 0,
            TensorType::F16 => 1,
            TensorType::Q4_0 => 2,
            TensorType::Q4_1 => 3,
            TensorType::Q5_0 => 6,
            TensorType::Q5_1 => 7,
            TensorType::Q8_0 => 8,
            TensorType::Q2K => 10,
            TensorType::Q3K => 11,
            TensorType::Q4K => 12,
            TensorType::Q5K => 13,
            TensorType::Q6K => 14,
            TensorType::Bf16 => 30,
        }
    }

    /// The type behind a number; `None` for one that cannot be read.
    pub fn from_number(number: u32) -> Option<Self> {
        TensorType::ALL.into_iter().find(|t| t.number() == number)
    }

    /// Name of any type number, supported or not, for messages.
    pub fn describe(number: u32) -> String {
        let known = match number {
            9 => "Q8_1",
            15 => "Q8_K",
            16 => "IQ2_XXS",
            17 => "IQ2_XS",
            18 => "IQ3_XXS",
            19 => "IQ1_S",
            20 => "IQ4_NL",
            21 => "IQ3_S",
            22 => "IQ2_S",
            23 => "IQ4_XS",
            24 => "I8",
            25 => "I16",
            26 => "I32",
            27 => "I64",
            28 => "F64",
            29 => "IQ1_M",
            34 => "TQ1_0",
            35 => "TQ2_0",
            39 => "MXFP4",
            other => return TensorType::from_number(other).map_or(format!("number {other}"), |t| t.name().into()),
        };
        known.to_string()
    }

    /// The supported types for messages.
    pub fn supported() -> String {
        TensorType::ALL.map(TensorType::name).join(" ")
    }

    /// Weights in one block.
    pub fn block_elements(self) -> usize {
        match self {
            TensorType::F32 | TensorType::F16 | TensorType::Bf16 => 1,
            TensorType::Q4_0 | TensorType::Q4_1 | TensorType::Q5_0 | TensorType::Q5_1 | TensorType::Q8_0 => BLOCK,
            TensorType::Q2K | TensorType::Q3K | TensorType::Q4K | TensorType::Q5K | TensorType::Q6K => SUPER_BLOCK,
        }
    }

    /// Bytes of one block.
    pub fn block_bytes(self) -> usize {
        match self {
            TensorType::F32 => 4,
            TensorType::F16 | TensorType::Bf16 => 2,
            TensorType::Q4_0 => 18,
            TensorType::Q4_1 => 20,
            TensorType::Q5_0 => 22,
            TensorType::Q5_1 => 24,
            TensorType::Q8_0 => 34,
            TensorType::Q2K => 84,
            TensorType::Q3K => 110,
            TensorType::Q4K => 144,
            TensorType::Q5K => 176,
            TensorType::Q6K => 210,
        }
    }

    /// The type in candle's words.
    pub fn candle(self) -> GgmlDType {
        match self {
            TensorType::F32 => GgmlDType::F32,
            TensorType::F16 => GgmlDType::F16,
            TensorType::Bf16 => GgmlDType::BF16,
            TensorType::Q4_0 => GgmlDType::Q4_0,
            TensorType::Q4_1 => GgmlDType::Q4_1,
            TensorType::Q5_0 => GgmlDType::Q5_0,
            TensorType::Q5_1 => GgmlDType::Q5_1,
            TensorType::Q8_0 => GgmlDType::Q8_0,
            TensorType::Q2K => GgmlDType::Q2K,
            TensorType::Q3K => GgmlDType::Q3K,
            TensorType::Q4K => GgmlDType::Q4K,
            TensorType::Q5K => GgmlDType::Q5K,
            TensorType::Q6K => GgmlDType::Q6K,
        }
    }

    /// Decodes whole blocks into `out`; `data` and `out` must describe the same number of weights.
    pub fn decode(self, data: &[u8], out: &mut [f32]) -> Result<(), String> {
        let blocks = out.len() / self.block_elements();
        if blocks * self.block_elements() != out.len() || blocks * self.block_bytes() != data.len() {
            return Err(format!("{} bytes of type {} cannot hold {} weights", data.len(), self.name(), out.len()));
        }
        match self {
            TensorType::F32 => {
                for (x, b) in out.iter_mut().zip(data.as_chunks().0) {
                    *x = f32::from_le_bytes(*b);
                }
            }
            TensorType::F16 => {
                for (x, b) in out.iter_mut().zip(data.as_chunks().0) {
                    *x = half_to_f32(u16::from_le_bytes(*b));
                }
            }
            TensorType::Bf16 => {
                for (x, b) in out.iter_mut().zip(data.as_chunks().0) {
                    *x = f32::from_bits(u32::from(u16::from_le_bytes(*b)) << 16);
                }
            }
            TensorType::Q4_0 => each_block::<18>(data, out, |b, y| {
                let scale = half_at(b, 0);
                nibbles(&b[2..], y, |q| scale * (f32::from(q) - 8.0));
            }),
            TensorType::Q4_1 => each_block::<20>(data, out, |b, y| {
                let (scale, low) = (half_at(b, 0), half_at(b, 2));
                nibbles(&b[4..], y, |q| scale * f32::from(q) + low);
            }),
            TensorType::Q5_0 => each_block::<22>(data, out, |b, y| {
                let scale = half_at(b, 0);
                nibbles(&b[6..], y, f32::from);
                add_fifth_bit(&b[2..6], y);
                y.iter_mut().for_each(|v| *v = scale * (*v - 16.0));
            }),
            TensorType::Q5_1 => each_block::<24>(data, out, |b, y| {
                let (scale, low) = (half_at(b, 0), half_at(b, 2));
                nibbles(&b[8..], y, f32::from);
                add_fifth_bit(&b[4..8], y);
                y.iter_mut().for_each(|v| *v = scale * *v + low);
            }),
            TensorType::Q8_0 => each_block::<34>(data, out, |b, y| {
                let scale = half_at(b, 0);
                for (v, q) in y.iter_mut().zip(&b[2..]) {
                    *v = scale * f32::from(*q as i8);
                }
            }),
            TensorType::Q2K | TensorType::Q3K | TensorType::Q4K | TensorType::Q5K | TensorType::Q6K => {
                decode_by_candle(self, data, out)?;
            }
        }
        Ok(())
    }
}

/// Decodes through candle. A copy is made because candle insists on aligned bytes.
pub(super) fn decode_by_candle(kind: TensorType, data: &[u8], out: &mut [f32]) -> Result<(), String> {
    let decode = || -> candle_core::Result<Vec<f32>> {
        let storage = QStorage::from_data(Cow::Owned(data.to_vec()), &Device::Cpu, kind.candle())?;
        QTensor::new(storage, out.len())?.dequantize(&Device::Cpu)?.to_vec1()
    };
    let values = decode().map_err(|e| e.to_string())?;
    for (x, v) in out.iter_mut().zip(values) {
        *x = v;
    }
    Ok(())
}

/// Encodes weights; `values` must be whole blocks. Uses candle's quantisers.
pub fn encode(kind: TensorType, values: &[f32]) -> Result<Vec<u8>, String> {
    if kind == TensorType::F32 {
        return Ok(values.iter().flat_map(|v| v.to_le_bytes()).collect());
    }
    if !values.len().is_multiple_of(kind.block_elements()) {
        return Err(format!("{} weights are no whole blocks of type {}", values.len(), kind.name()));
    }
    let encode = || -> candle_core::Result<Vec<u8>> {
        let tensor = candle_core::Tensor::from_slice(values, values.len(), &Device::Cpu)?;
        Ok(QTensor::quantize(&tensor, kind.candle())?.data()?.into_owned())
    };
    encode().map_err(|e| e.to_string())
}

fn each_block<const BYTES: usize>(data: &[u8], out: &mut [f32], decode: impl Fn(&[u8; BYTES], &mut [f32; BLOCK])) {
    for (block, y) in data.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        decode(block, y);
    }
}

/// Low halves of the 16 bytes are weights 0 to 15, high halves 16 to 31.
fn nibbles(packed: &[u8], y: &mut [f32; BLOCK], value: impl Fn(u8) -> f32) {
    let (low, high) = y.split_at_mut(BLOCK / 2);
    for ((l, h), byte) in low.iter_mut().zip(high).zip(packed) {
        *l = value(byte & 15);
        *h = value(byte >> 4);
    }
}

/// Bit `i` of the mask is worth 16 in weight `i`.
fn add_fifth_bit(mask: &[u8], y: &mut [f32; BLOCK]) {
    for (i, v) in y.iter_mut().enumerate() {
        if mask[i / 8] >> (i % 8) & 1 == 1 {
            *v += 16.0;
        }
    }
}

fn half_at(bytes: &[u8], at: usize) -> f32 {
    half_to_f32(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

/// IEEE 754 half precision to single precision, exactly.
pub(super) fn half_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 31);
    let fraction = u32::from(bits & 1023);
    match exponent {
        0 => {
            let magnitude = fraction as f32 / 16_777_216.0;
            f32::from_bits(magnitude.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 255 << 23 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_decodes_as_candle_decodes_it() {
        let mut state = 7u64;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u8
        };
        for kind in TensorType::ALL {
            let blocks = 1024 / kind.block_elements();
            let mut data: Vec<u8> = (0..blocks * kind.block_bytes()).map(|_| byte()).collect();
            // The exponents of the scales (and of plain numbers) must stay finite.
            for pair in data.chunks_mut(2) {
                pair[1] &= 0xBF;
            }
            let (mut ours, mut theirs) = (vec![0.0; 1024], vec![0.0; 1024]);
            kind.decode(&data, &mut ours).unwrap();
            decode_by_candle(kind, &data, &mut theirs).unwrap();
            for (a, b) in ours.iter().zip(&theirs) {
                assert!((a - b).abs() <= 1e-6 * b.abs(), "{}: {a} instead of {b}", kind.name());
            }
        }
    }

    #[test]
    fn half_precision_is_exact_at_its_corners() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03FF, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
            (0x7C00, f32::INFINITY),
            (0xFC00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half_to_f32(bits).to_bits(), value.to_bits(), "{bits:#x}");
        }
        assert!(half_to_f32(0x7E00).is_nan());
    }

    #[test]
    fn a_wrong_number_of_bytes_is_refused() {
        assert!(TensorType::Q8_0.decode(&[0; 33], &mut [0.0; 32]).is_err());
        assert!(TensorType::Q8_0.decode(&[0; 34], &mut [0.0; 31]).is_err());
        assert!(encode(TensorType::Q8_0, &[0.0; 31]).is_err());
    }

    #[test]
    fn encoding_and_decoding_loses_little() {
        let values: Vec<f32> = (0..256).map(|i| (i as f32 * 0.37).sin()).collect();
        for (kind, most) in [(TensorType::F32, 0.0), (TensorType::F16, 1e-3), (TensorType::Q8_0, 1e-2)] {
            let mut back = vec![0.0; 256];
            kind.decode(&encode(kind, &values).unwrap(), &mut back).unwrap();
            assert!(values.iter().zip(&back).all(|(a, b)| (a - b).abs() <= most), "{}", kind.name());
        }
    }
}
