//! Reading and writing the GGUF container: a header of typed facts, a table of tensors, aligned data.
//!
//! The reader borrows from a byte slice (the file is mapped, never copied) and trusts nothing: every count,
//! length, offset and size is checked against what is really there before it is used. Source of the format:
//! `docs/gguf.md` in the ggml repository, versions 2 and 3.

use std::collections::HashMap;

use super::tensor_type::TensorType;

const MAGIC: &[u8; 4] = b"GGUF";
const ALIGNMENT_KEY: &str = "general.alignment";
const DEFAULT_ALIGNMENT: usize = 32;
/// ggml knows at most four dimensions.
const MAX_DIMENSIONS: u32 = 4;
/// Arrays of arrays deeper than this occur in no model; the bound keeps a crafted file from exhausting the stack.
const MAX_NESTING: u32 = 4;
/// No name of a tensor or key is longer in any real file.
const MAX_NAME: usize = 65_535;

/// What is wrong with a file, in words for the user.
pub type Reason = String;

/// One fact of the header.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    Text(&'a str),
    Array(Array<'a>),
}

/// A list in the header, kept as the bytes it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Array<'a> {
    kind: u32,
    len: usize,
    raw: &'a [u8],
}

impl<'a> Array<'a> {
    /// The texts of a list of texts.
    pub fn texts(&self) -> Result<Vec<&'a str>, Reason> {
        if self.kind != kind::TEXT {
            return Err(format!("a list of texts was expected, the list holds type {}", self.kind));
        }
        let mut cursor = Cursor { bytes: self.raw, at: 0 };
        // Capacity is bounded by the bytes present: each text needs eight of them for its length alone.
        let mut out = Vec::with_capacity(self.len.min(self.raw.len() / 8));
        for _ in 0..self.len {
            out.push(cursor.text(usize::MAX)?);
        }
        Ok(out)
    }

    /// The numbers of a list of whole numbers of 32 bits.
    pub fn integers(&self) -> Result<Vec<i64>, Reason> {
        match self.kind {
            kind::U32 => Ok(self.raw.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b).into()).collect()),
            kind::I32 => Ok(self.raw.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b).into()).collect()),
            other => Err(format!("a list of 32-bit numbers was expected, the list holds type {other}")),
        }
    }
}

/// The type numbers of header facts.
mod kind {
    pub const U8: u32 = 0;
    pub const I8: u32 = 1;
    pub const U16: u32 = 2;
    pub const I16: u32 = 3;
    pub const U32: u32 = 4;
    pub const I32: u32 = 5;
    pub const F32: u32 = 6;
    pub const BOOL: u32 = 7;
    pub const TEXT: u32 = 8;
    pub const ARRAY: u32 = 9;
    pub const U64: u32 = 10;
    pub const I64: u32 = 11;
    pub const F64: u32 = 12;

    /// Bytes of one value of a type of fixed size.
    pub fn size(kind: u32) -> Option<usize> {
        match kind {
            U8 | I8 | BOOL => Some(1),
            U16 | I16 => Some(2),
            U32 | I32 | F32 => Some(4),
            U64 | I64 | F64 => Some(8),
            _ => None,
        }
    }
}

/// One tensor: where it lies and how it is to be read.
#[derive(Debug, Clone, Copy)]
pub struct TensorView<'a> {
    pub name: &'a str,
    /// Extents, the fastest running first, as the format stores them; unused ones are 1.
    pub dims: [usize; 4],
    pub rank: usize,
    pub kind: TensorType,
    /// Exactly the tensor's bytes.
    pub data: &'a [u8],
}

impl TensorView<'_> {
    /// Number of weights.
    pub fn elements(&self) -> usize {
        self.dims.iter().product()
    }
}

/// A parsed file. Everything borrows from the bytes.
#[derive(Debug)]
pub struct Gguf<'a> {
    pub version: u32,
    facts: HashMap<&'a str, Value<'a>>,
    fact_count: u64,
    fact_bytes: &'a [u8],
    tensors: Vec<TensorView<'a>>,
    by_name: HashMap<&'a str, usize>,
    alignment: usize,
}

impl<'a> Gguf<'a> {
    /// Reads header and tensor table and checks that every tensor lies inside the file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Reason> {
        let mut cursor = Cursor { bytes, at: 0 };
        let magic = cursor.take(4).map_err(|_| "it is too short for a GGUF file".to_string())?;
        if magic != MAGIC {
            return Err(format!("it does not begin with GGUF but with {:?}", String::from_utf8_lossy(magic)));
        }
        let version = cursor.u32()?;
        if version != 2 && version != 3 {
            return Err(format!("GGUF version {version} is not supported (supported: 2, 3, little endian)"));
        }
        let tensor_count = cursor.u64()?;
        let fact_count = cursor.u64()?;
        let fact_start = cursor.at;
        let mut facts = HashMap::new();
        for _ in 0..fact_count {
            let key = cursor.text(MAX_NAME)?;
            let kind = cursor.u32()?;
            let value = cursor.value(kind, 0).map_err(|e| format!("header fact {key:?}: {e}"))?;
            if facts.insert(key, value).is_some() {
                return Err(format!("header fact {key:?} occurs twice"));
            }
        }
        let fact_bytes = &bytes[fact_start..cursor.at];
        let alignment = match facts.get(ALIGNMENT_KEY) {
            None => DEFAULT_ALIGNMENT,
            Some(Value::Unsigned(n)) if n.is_power_of_two() && *n <= 1 << 20 => *n as usize,
            Some(other) => return Err(format!("header fact {ALIGNMENT_KEY:?} has the unusable value {other:?}")),
        };
        let mut table = Vec::new();
        for _ in 0..tensor_count {
            table.push(Entry::read(&mut cursor)?);
        }
        let data_start = cursor.at.checked_next_multiple_of(alignment).ok_or("the tensor table is too long")?;
        let data = bytes.get(data_start..).unwrap_or_default();
        let mut tensors = Vec::with_capacity(table.len());
        let mut by_name = HashMap::with_capacity(table.len());
        for entry in table {
            let view = entry.locate(data)?;
            if by_name.insert(view.name, tensors.len()).is_some() {
                return Err(format!("tensor {:?} occurs twice", view.name));
            }
            tensors.push(view);
        }
        Ok(Gguf { version, facts, fact_count, fact_bytes, tensors, by_name, alignment })
    }

    /// A fact of the header.
    pub fn fact(&self, key: &str) -> Option<Value<'a>> {
        self.facts.get(key).copied()
    }

    /// A text that must be there.
    pub fn text(&self, key: &str) -> Result<&'a str, Reason> {
        match self.fact(key) {
            Some(Value::Text(t)) => Ok(t),
            found => Err(missing(key, "a text", found)),
        }
    }

    /// A whole number that must be there.
    pub fn unsigned(&self, key: &str) -> Result<u64, Reason> {
        match self.fact(key) {
            Some(Value::Unsigned(n)) => Ok(n),
            Some(Value::Signed(n)) if n >= 0 => Ok(n.unsigned_abs()),
            found => Err(missing(key, "a whole number", found)),
        }
    }

    /// A number that must be there.
    pub fn float(&self, key: &str) -> Result<f64, Reason> {
        match self.fact(key) {
            Some(Value::Float(x)) => Ok(x),
            found => Err(missing(key, "a number", found)),
        }
    }

    /// A list that must be there.
    pub fn array(&self, key: &str) -> Result<Array<'a>, Reason> {
        match self.fact(key) {
            Some(Value::Array(a)) => Ok(a),
            found => Err(missing(key, "a list", found)),
        }
    }

    /// All tensors in the order of the file.
    pub fn tensors(&self) -> &[TensorView<'a>] {
        &self.tensors
    }

    /// A tensor by name.
    pub fn tensor(&self, name: &str) -> Option<&TensorView<'a>> {
        self.by_name.get(name).and_then(|i| self.tensors.get(*i))
    }

    /// Writes a file with the same header facts and these tensors: `(name, extents, type, bytes)`.
    pub fn rewrite(&self, tensors: &[(&str, &[usize], TensorType, Vec<u8>)]) -> Vec<u8> {
        assemble(self.fact_count, self.fact_bytes, self.alignment, tensors)
    }
}

/// Puts a file together from finished header bytes and tensors.
pub fn assemble(
    fact_count: u64,
    fact_bytes: &[u8],
    alignment: usize,
    tensors: &[(&str, &[usize], TensorType, Vec<u8>)],
) -> Vec<u8> {
    let total: usize = tensors.iter().map(|t| t.3.len() + t.0.len() + 64 + alignment).sum();
    let mut out = Vec::with_capacity(total + fact_bytes.len() + 64);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&3u32.to_le_bytes());
    out.extend_from_slice(&(tensors.len() as u64).to_le_bytes());
    out.extend_from_slice(&fact_count.to_le_bytes());
    out.extend_from_slice(fact_bytes);
    let mut offset = 0;
    for (name, dims, kind, data) in tensors {
        out.extend_from_slice(&(name.len() as u64).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&(dims.len() as u32).to_le_bytes());
        for dim in *dims {
            out.extend_from_slice(&(*dim as u64).to_le_bytes());
        }
        out.extend_from_slice(&kind.number().to_le_bytes());
        out.extend_from_slice(&(offset as u64).to_le_bytes());
        offset = (offset + data.len()).next_multiple_of(alignment);
    }
    for (_, _, _, data) in tensors {
        out.resize(out.len().next_multiple_of(alignment), 0);
        out.extend_from_slice(data);
    }
    out.resize(out.len().next_multiple_of(alignment), 0);
    out
}

fn missing(key: &str, wanted: &str, found: Option<Value>) -> Reason {
    match found {
        None => format!("header fact {key:?} is missing"),
        Some(other) => {
            let kind = match other {
                Value::Unsigned(_) | Value::Signed(_) => "a whole number",
                Value::Float(_) => "a number",
                Value::Bool(_) => "yes or no",
                Value::Text(_) => "a text",
                Value::Array(_) => "a list",
            };
            format!("header fact {key:?} should be {wanted} and is {kind}")
        }
    }
}

/// One line of the tensor table.
struct Entry<'a> {
    name: &'a str,
    dims: [usize; 4],
    rank: usize,
    kind: TensorType,
    offset: u64,
}

impl<'a> Entry<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, Reason> {
        let name = cursor.text(MAX_NAME).map_err(|e| format!("the tensor table is damaged: {e}"))?;
        let rank = cursor.u32()?;
        if rank == 0 || rank > MAX_DIMENSIONS {
            return Err(format!("tensor {name:?} has {rank} dimensions (1 to {MAX_DIMENSIONS} are possible)"));
        }
        let mut dims = [1usize; 4];
        for dim in dims.iter_mut().take(rank as usize) {
            let n = cursor.u64()?;
            *dim = usize::try_from(n).map_err(|_| format!("tensor {name:?} is too large"))?;
        }
        let number = cursor.u32()?;
        let kind = TensorType::from_number(number).ok_or_else(|| {
            format!(
                "tensor {name:?} has the unsupported type {} (supported: {})",
                TensorType::describe(number),
                TensorType::supported()
            )
        })?;
        let offset = cursor.u64()?;
        Ok(Entry { name, dims, rank: rank as usize, kind, offset })
    }

    fn locate(self, data: &'a [u8]) -> Result<TensorView<'a>, Reason> {
        let Entry { name, dims, rank, kind, offset } = self;
        let elements = dims
            .iter()
            .try_fold(1usize, |product, dim| product.checked_mul(*dim))
            .ok_or_else(|| format!("tensor {name:?} is too large"))?;
        if !dims[0].is_multiple_of(kind.block_elements()) {
            return Err(format!(
                "tensor {name:?} of type {} has rows of {} weights, which is no multiple of {}",
                kind.name(),
                dims[0],
                kind.block_elements()
            ));
        }
        let size = (elements / kind.block_elements())
            .checked_mul(kind.block_bytes())
            .ok_or_else(|| format!("tensor {name:?} is too large"))?;
        let start = usize::try_from(offset).map_err(|_| format!("tensor {name:?} lies outside the file"))?;
        let bytes = start.checked_add(size).and_then(|end| data.get(start..end)).ok_or_else(|| {
            format!("tensor {name:?} needs {size} bytes at {start} but the file is shorter (truncated?)")
        })?;
        Ok(TensorView { name, dims, rank, kind, data: bytes })
    }
}

/// A position in the bytes that cannot leave them.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Reason> {
        let end = self.at.checked_add(n);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(slice) => {
                self.at += n;
                Ok(slice)
            }
            None => Err(format!("the file ends at byte {} where {n} more are needed (truncated?)", self.bytes.len())),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        let slice = self.take(N)?;
        slice.try_into().map_err(|_| "the file is truncated".to_string())
    }

    fn u32(&mut self) -> Result<u32, Reason> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, Reason> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn text(&mut self, longest: usize) -> Result<&'a str, Reason> {
        let len = self.u64()?;
        let len = usize::try_from(len).ok().filter(|n| *n <= longest).ok_or("a text is longer than possible")?;
        std::str::from_utf8(self.take(len)?).map_err(|_| format!("a text before byte {} is not UTF-8", self.at))
    }

    fn value(&mut self, kind: u32, depth: u32) -> Result<Value<'a>, Reason> {
        Ok(match kind {
            kind::U8 => Value::Unsigned(u8::from_le_bytes(self.array()?).into()),
            kind::I8 => Value::Signed(i8::from_le_bytes(self.array()?).into()),
            kind::U16 => Value::Unsigned(u16::from_le_bytes(self.array()?).into()),
            kind::I16 => Value::Signed(i16::from_le_bytes(self.array()?).into()),
            kind::U32 => Value::Unsigned(self.u32()?.into()),
            kind::I32 => Value::Signed(i32::from_le_bytes(self.array()?).into()),
            kind::U64 => Value::Unsigned(self.u64()?),
            kind::I64 => Value::Signed(i64::from_le_bytes(self.array()?)),
            kind::F32 => Value::Float(f32::from_le_bytes(self.array()?).into()),
            kind::F64 => Value::Float(f64::from_le_bytes(self.array()?)),
            kind::BOOL => match self.array::<1>()? {
                [0] => Value::Bool(false),
                [1] => Value::Bool(true),
                [other] => return Err(format!("{other} stands where 0 or 1 must")),
            },
            kind::TEXT => Value::Text(self.text(usize::MAX)?),
            kind::ARRAY => Value::Array(self.list(depth)?),
            other => return Err(format!("value type {other} does not exist")),
        })
    }

    fn list(&mut self, depth: u32) -> Result<Array<'a>, Reason> {
        if depth >= MAX_NESTING {
            return Err("lists are nested too deeply".to_string());
        }
        let kind = self.u32()?;
        let len = usize::try_from(self.u64()?).map_err(|_| "a list is longer than possible")?;
        let start = self.at;
        match kind::size(kind) {
            Some(size) => {
                let bytes = len.checked_mul(size).ok_or("a list is longer than possible")?;
                self.take(bytes)?;
            }
            None => {
                for _ in 0..len {
                    self.value(kind, depth + 1)?;
                }
            }
        }
        Ok(Array { kind, len, raw: &self.bytes[start..self.at] })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let bytes = fixture::file(TensorType::Q8_0);
        let file = Gguf::parse(&bytes).unwrap();
        assert_eq!(file.text("general.architecture"), Ok("llama"));
        assert_eq!(file.unsigned("llama.block_count"), Ok(fixture::LAYERS as u64));
        assert_eq!(file.array("tokenizer.ggml.tokens").unwrap().texts().unwrap()[1], "<|im_start|>");
        assert_eq!(file.array("tokenizer.ggml.token_type").unwrap().integers().unwrap()[..4], [3, 3, 3, 1]);
        assert_eq!(file.tensors().len(), fixture::table().len());
        let tensor = file.tensor("blk.1.attn_k.weight").unwrap();
        assert_eq!(
            (tensor.dims, tensor.rank, tensor.kind),
            ([fixture::WIDTH, fixture::WIDTH / 2, 1, 1], 2, TensorType::Q8_0)
        );
    }

    #[test]
    fn a_rewritten_file_keeps_header_and_tensors() {
        let bytes = fixture::file(TensorType::F32);
        let file = Gguf::parse(&bytes).unwrap();
        let same: Vec<_> =
            file.tensors().iter().map(|t| (t.name, &t.dims[..t.rank], t.kind, t.data.to_vec())).collect();
        assert_eq!(file.rewrite(&same), bytes);
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        let bytes = fixture::file(TensorType::Q8_0);
        // The padding at the end carries nothing.
        for len in (0..bytes.len() - 32).step_by(7) {
            assert!(Gguf::parse(&bytes[..len]).is_err(), "cut at {len}");
        }
    }

    #[test]
    fn a_foreign_file_is_refused() {
        let error = Gguf::parse(b"PK\x03\x04 some archive").unwrap_err();
        assert!(error.contains("does not begin with GGUF"), "{error}");
        let mut bytes = fixture::file(TensorType::F32);
        bytes[4] = 1;
        assert!(Gguf::parse(&bytes).unwrap_err().contains("version 1"));
    }

    #[test]
    fn an_unsupported_tensor_type_is_named_with_tensor_and_supported_list() {
        let mut bytes = fixture::file(TensorType::F32);
        let name = b"blk.0.attn_q.weight";
        let at = bytes.windows(name.len()).position(|w| w == name).unwrap() + name.len();
        // Rank, two extents, then the type.
        bytes[at + 20] = 20;
        let error = Gguf::parse(&bytes).unwrap_err();
        for part in ["blk.0.attn_q.weight", "IQ4_NL", "F32 F16 BF16 Q4_0", "Q6_K"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn impossible_counts_and_sizes_end_in_an_error() {
        let bytes = fixture::file(TensorType::F32);
        for (at, what) in [(8, "tensors"), (16, "facts")] {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].fill(0xFF);
            assert!(Gguf::parse(&bytes).is_err(), "endless {what}");
        }
        let name = b"token_embd.weight";
        let at = bytes.windows(name.len()).position(|w| w == name).unwrap() + name.len();
        for (field, len) in [(0, 4), (4, 8), (12, 8), (24, 8)] {
            let mut bytes = bytes.clone();
            bytes[at + field..at + field + len].fill(0xFE);
            assert!(Gguf::parse(&bytes).is_err(), "field at {field}");
        }
    }

    #[test]
    fn lists_nested_without_end_are_refused() {
        let mut header = fixture::Header::default().text("general.architecture", "llama");
        header.count += 1;
        header.bytes.extend(1u64.to_le_bytes());
        header.bytes.extend(b"x");
        header.bytes.extend(9u32.to_le_bytes());
        for _ in 0..1000 {
            header.bytes.extend(9u32.to_le_bytes());
            header.bytes.extend(1u64.to_le_bytes());
        }
        let bytes = assemble(header.count, &header.bytes, 32, &[]);
        assert!(Gguf::parse(&bytes).unwrap_err().contains("nested"));
    }
}
