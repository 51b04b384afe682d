//! Work that is interleaved with other work.

/// Work in steps of four quarters. A quarter is small enough to fill the waiting time of the work that surrounds it.
///
/// A quarter must be `#[inline(always)]`, like everything that a [`Kernel`](crate::simd::Kernel) calls.
pub trait QuarterSteps {
    /// Does quarter 0, 1, 2 or 3 of the next step, in this order. Does nothing when all steps are done.
    fn quarter(&mut self, number: usize);
}

impl QuarterSteps for () {
    #[inline(always)]
    fn quarter(&mut self, _: usize) {}
}

impl<A: QuarterSteps, B: QuarterSteps, C: QuarterSteps> QuarterSteps for (A, B, C) {
    #[inline(always)]
    fn quarter(&mut self, number: usize) {
        self.0.quarter(number);
        self.1.quarter(number);
        self.2.quarter(number);
    }
}
