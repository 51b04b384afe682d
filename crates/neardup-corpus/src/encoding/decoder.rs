use encoding_rs::DecoderResult;

/// A byte that is never part of UTF-8. It replaces bytes that an encoding does not define, so that the record is refused.
pub(crate) const INVALID: u8 = 0xff;

/// Converts the bytes of a text to UTF-8, piece by piece.
pub(crate) enum TextDecoder {
    Utf8,
    Standard(encoding_rs::Decoder),
    Utf32 {
        is_big_endian: bool,
        /// Bytes of a character that is not complete.
        unit: Vec<u8>,
    },
}

impl TextDecoder {
    /// Appends the UTF-8 of a piece to `out`. [`INVALID`] replaces bytes that the encoding does not define. `is_last` says that the
    /// text ends with the piece.
    pub fn decode(&mut self, piece: &[u8], is_last: bool, out: &mut Vec<u8>) {
        match self {
            TextDecoder::Utf8 => out.extend_from_slice(piece),
            TextDecoder::Standard(decoder) => decode_standard(decoder, piece, is_last, out),
            TextDecoder::Utf32 { is_big_endian, unit } => {
                for byte in piece {
                    unit.push(*byte);
                    let Ok(bytes) = <[u8; 4]>::try_from(unit.as_slice()) else { continue };
                    unit.clear();
                    let value = if *is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
                    match char::from_u32(value) {
                        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                        None => out.push(INVALID),
                    }
                }
                if is_last && !unit.is_empty() {
                    unit.clear();
                    out.push(INVALID);
                }
            }
        }
    }
}

fn decode_standard(decoder: &mut encoding_rs::Decoder, mut piece: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let mut room = [0; 4096];
    loop {
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(piece, &mut room, is_last);
        piece = &piece[read..];
        out.extend_from_slice(&room[..written]);
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => out.push(INVALID),
        }
    }
}
