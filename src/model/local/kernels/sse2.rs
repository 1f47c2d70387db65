//! Products of whole numbers with what every x86-64 processor has.

use std::arch::x86_64::*;

use crate::model::local::packed::{BLOCK, Format, LINE, ROWS};

/// The products of the 16 rows of a block of a tile with the bytes of one token.
///
/// Bytes become 16-bit numbers, and `madd` multiplies and adds neighbours: two sums a row, added up at the end.
pub fn dots(format: Format, numbers: &[u8], bytes: &[i8; BLOCK]) -> [i32; ROWS] {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { products(format, numbers, bytes) }
}

#[target_feature(enable = "sse2")]
fn products(format: Format, numbers: &[u8], bytes: &[i8; BLOCK]) -> [i32; ROWS] {
    let zero = _mm_setzero_si128();
    let low = _mm_set1_epi8(15);
    let mut sums = [zero; ROWS / 2];
    for (l, line) in numbers.as_chunks::<LINE>().0.iter().enumerate() {
        for (sums, four) in sums.as_chunks_mut::<2>().0.iter_mut().zip(line.as_chunks::<16>().0) {
            // SAFETY: 16 bytes are there; the instruction asks for no alignment.
            let four = unsafe { _mm_loadu_si128(four.as_ptr().cast()) };
            match format {
                Format::Q4_0 | Format::Q4_1 => {
                    let halves = [_mm_and_si128(four, low), _mm_and_si128(_mm_srli_epi16::<4>(four), low)];
                    for (half, x) in halves.into_iter().zip([quad(bytes, l), quad(bytes, l + 4)]) {
                        sums[0] = _mm_add_epi32(sums[0], _mm_madd_epi16(_mm_unpacklo_epi8(half, zero), x));
                        sums[1] = _mm_add_epi32(sums[1], _mm_madd_epi16(_mm_unpackhi_epi8(half, zero), x));
                    }
                }
                Format::Q8_0 | Format::F16 => {
                    let x = quad(bytes, l);
                    // The byte above itself, moved down with its sign.
                    let wide = [_mm_unpacklo_epi8(four, four), _mm_unpackhi_epi8(four, four)];
                    for (sum, wide) in sums.iter_mut().zip(wide) {
                        *sum = _mm_add_epi32(*sum, _mm_madd_epi16(_mm_srai_epi16::<8>(wide), x));
                    }
                }
            }
        }
    }
    let mut out = [0; ROWS];
    for (out, sums) in out.as_chunks_mut::<4>().0.iter_mut().zip(sums.as_chunks::<2>().0) {
        let (a, b) = (_mm_castsi128_ps(sums[0]), _mm_castsi128_ps(sums[1]));
        let even = _mm_castps_si128(_mm_shuffle_ps::<0x88>(a, b));
        let odd = _mm_castps_si128(_mm_shuffle_ps::<0xdd>(a, b));
        // SAFETY: the place is 16 bytes long; the instruction asks for no alignment.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), _mm_add_epi32(even, odd)) };
    }
    out
}

/// Four neighbouring bytes as 16-bit numbers, twice.
#[inline]
#[target_feature(enable = "sse2")]
fn quad(bytes: &[i8; BLOCK], i: usize) -> __m128i {
    let [a, b, c, d] = bytes.as_chunks::<4>().0[i].map(i16::from);
    _mm_setr_epi16(a, b, c, d, a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::super::portable;
    use super::*;
    use crate::model::local::packed::tests::Noise;

    #[test]
    fn products_are_those_of_the_plain_loops() {
        let mut noise = Noise(3);
        for format in [Format::Q4_0, Format::Q4_1, Format::Q8_0] {
            for _ in 0..50 {
                let numbers: Vec<u8> = (0..format.number_bytes()).map(|_| noise.byte()).collect();
                let bytes = [(); BLOCK].map(|()| (noise.byte() as i8).max(-127));
                assert_eq!(dots(format, &numbers, &bytes), portable::dots(format, &numbers, &bytes));
            }
        }
    }
}
