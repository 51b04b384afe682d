//! Bands: b keys, each a hash of r MinHash values (Broder et al. 2000; Leskovec, Rajaraman, Ullman, ch. 3).

/// b bands of r rows: two documents of resemblance s share a key with probability 1 - (1 - s^r)^b.
#[derive(Clone, Debug)]
pub struct Bands {
    /// b.
    pub bands: usize,
    /// r.
    pub rows: usize,
}

impl Bands {
    /// Appends one 32-bit key per band. Two bands of different values collide with odds 2^-32; the measure decides.
    pub fn keys(&self, minima: &[u32], out: &mut Vec<u32>) {
        out.extend(minima.chunks_exact(self.rows).take(self.bands).map(band));
    }
}

fn band(rows: &[u32]) -> u32 {
    let folded = rows.iter().fold(0x9E37_79B9_7F4A_7C15u64, |hash, &row| {
        let product = u128::from(hash ^ u64::from(row)) * 0xE703_7ED1_A0B4_28DB_u128;
        product as u64 ^ (product >> 64) as u64
    });
    (folded >> 32) as u32
}
