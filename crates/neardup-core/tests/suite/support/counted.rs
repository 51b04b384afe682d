//! Passes that need a lexicon.

use neardup_core::compile::compile_with;
use neardup_core::keys::promise::RecallPromise;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme::Scheme;
use neardup_core::signing::counting::{CountTotals, Counter, Counting};
use neardup_text::Text;
use std::sync::Arc;

/// Compiles the pass of `line`; if it needs a lexicon, terms are counted in `texts`.
pub fn counted<T: AsRef<str>>(line: &str, texts: &[T]) -> CompiledPass {
    let scheme = line.parse::<Scheme>().and_then(|scheme| scheme.resolve(&RecallPromise::default())).unwrap();
    let open = |_: &std::path::Path| {
        let (counting, tally) = (Counting::of(&scheme.passes()[0])?, CountTotals::new());
        let mut counter = Counter::new(&counting);
        texts.iter().for_each(|text| counter.count(Text::Plain(text.as_ref().as_bytes()), &tally));
        counter.flush(&tally);
        Ok(Arc::new(tally.finish(&counting).unwrap()))
    };
    compile_with(&scheme, &open).unwrap()
}
