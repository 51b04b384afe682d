//! The classics of terms, spots and chunks: the pairs that they find in texts of several languages.

use crate::support::counted::counted;
use neardup_core::sets::set::Set;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_text::Text;

/// A text, the same in another order, the same with one more sentence, and two other texts.
const ENGLISH: [&str; 5] = [
    "The ferry leaves the harbour at noon. A storm was expected by the keeper. There is a lamp in the tower.\nThe crew sleeps.\nNobody waits on the pier.",
    "A storm was expected by the keeper. The ferry leaves the harbour at noon. There is a lamp in the tower.\nNobody waits on the pier.\nThe crew sleeps.",
    "The ferry leaves the harbour at noon. A storm was expected by the keeper. There is a lamp in the tower.\nThe crew sleeps.\nNobody waits on the pier.\nGulls cry.",
    "Bread is baked before dawn, and the baker sells the rolls to early travellers.\nThe mill stands still.\nFlour is dear.",
    "An orchard of old pears was planted by the monks, and a wall protects the trees from the wind.\nBees hum.\nWasps, too.",
];
const KOREAN: [&str; 5] = [
    "그 여객선은 정오에 항구를 떠난다. 이 등대지기는 폭풍을 예상했다. 모든 선원은 일찍 잠든다.\n탑에는 등불이 있다.\n부두에는 아무도 없다.",
    "이 등대지기는 폭풍을 예상했다. 그 여객선은 정오에 항구를 떠난다. 모든 선원은 일찍 잠든다.\n부두에는 아무도 없다.\n탑에는 등불이 있다.",
    "그 여객선은 정오에 항구를 떠난다. 이 등대지기는 폭풍을 예상했다. 모든 선원은 일찍 잠든다.\n탑에는 등불이 있다.\n부두에는 아무도 없다.\n갈매기가 운다.",
    "그 제빵사는 새벽에 빵을 굽고 이 여행자는 아침을 산다.\n방앗간은 멈췄다.\n밀가루는 비싸다.",
    "한 수도사는 배나무를 심었고 그 담장은 과수원을 지킨다.\n벌이 난다.\n말벌도 난다.",
];
const CHINESE: [&str; 5] = [
    "这个渡轮中午离开港口，因为守塔老人预料风暴将至。我们船员早早睡下。\n塔里有灯。\n码头没有人影。",
    "因为守塔老人预料风暴将至，这个渡轮中午离开港口。我们船员早早睡下。\n码头没有人影。\n塔里有灯。",
    "这个渡轮中午离开港口，因为守塔老人预料风暴将至。我们船员早早睡下。\n塔里有灯。\n码头没有人影。\n海鸥鸣叫。",
    "这个面包师傅黎明烤面包，他们清晨卖给旅客早餐。\n磨坊停转。\n面粉昂贵。",
    "一个修士种下梨树，但是围墙保护果园树木。\n蜜蜂飞舞。\n黄蜂也来。",
];

/// Returns the pairs of texts that share a key and meet every condition of the scheme.
fn meet(line: &str, texts: &[&str]) -> Vec<(usize, usize)> {
    let pass = counted(line, texts);
    let (mut signer, mut draft) = (Signer::new(&pass), ChunkBuilder::default());
    let mut sets: Vec<Set> = Vec::new();
    for text in texts {
        let mut set = Set::default();
        signer.sign(Text::Plain(text.as_bytes()), &mut draft);
        signer.set(Text::Plain(text.as_bytes()), &mut set);
        sets.push(set);
    }
    let keys = |text: usize| &draft.keys[0].keys[neardup_core::signing::segment::range(&draft.keys[0].ends, text)];
    let meets = |left: usize, right: usize| {
        keys(left).iter().any(|key| keys(right).contains(key))
            && pass.possible(draft.sketch(left), draft.sketch(right))
            && pass.holds(sets[left].overlap(sets[right].features()))
    };
    let pairs = (0..texts.len()).flat_map(|left| (left + 1..texts.len()).map(move |right| (left, right)));
    pairs.filter(|&(left, right)| meets(left, right)).collect()
}

#[test]
fn pairs_are_found_in_every_language() {
    for (language, texts) in [("en", ENGLISH), ("ko", KOREAN), ("zh", CHINESE)] {
        // An empty text, two without any word, and one of one word.
        let mut all = texts.to_vec();
        all.extend(["", "!?", "…", "lamp"]);
        let spots = format!("words | spots antecedents={language} | whole | lengths:auto | resemblance>=0.44").replace("auto", "0.44");
        let table: [(&str, &[(usize, usize)]); 8] = [
            // Terms do not depend on order; an added term changes the digest.
            ("words | terms | digest:sha1 | each | equal", &[(0, 1)]),
            ("lines | chunks:1 | whole | each match=2 | equal", &[(0, 1), (0, 2), (1, 2)]),
            ("lines | chunks:1 | whole | each match=3 | equal", &[(0, 2)]),
            ("words | chunks:document | digest | each | equal", &[]),
            ("bytes | abstract:60 | digest:md5 | each | equal", &[(0, 2)]),
            ("words | terms weight=idf:corpus | lexicons:30,1/2 | each | resemblance>=0.5", &[(0, 1), (0, 2), (1, 2)]),
            ("words | keywords:200,sorted weight=idf:corpus | digest:md5 | each | equal", &[(0, 1)]),
            (&spots, &[(0, 1), (0, 2), (1, 2)]),
        ];
        for (line, expected) in table {
            assert_eq!(meet(line, &all), expected, "{language}: {line}");
        }
    }
}

#[test]
fn an_idf_band_ignores_the_most_common_and_the_rarest_terms() {
    // `so` is in every text; one of the copies has a word that no other text has.
    let texts = [
        "so red rain fell on green hills",
        "so red rain fell on green hills xyzzy",
        "so blue snow lay on brown rocks",
        "so blue snow",
        "so",
    ];
    let line = |band: &str| format!("words | terms{band} weight=idf:corpus | digest:sha1 | each | equal");
    assert_eq!(meet(&line(""), &texts), []);
    assert_eq!(meet(&line(":0.1,0.6"), &texts), [(0, 1)]);
    // `so` has no terms left: no digest, no duplicate.
    assert_eq!(meet(&line(":0.4,0.9"), &["so", "so so", "so red", "so blue", "so green"]), []);
}

#[test]
fn keywords_that_change_places_are_missed_unless_sorted() {
    // The weights are by tf: apple, pear, plum, fig in the first text, plum before pear in the second.
    let texts = ["apple apple apple apple pear pear pear plum plum fig", "apple apple apple apple plum plum plum pear pear fig"];
    let meet = |keywords: &str| !meet(&format!("words | keywords:{keywords} weight=tf | digest:md5 | each | equal"), &texts).is_empty();
    assert_eq!(["1,ranked", "2,ranked", "3,ranked", "4,ranked"].map(meet), [true, false, false, false]);
    assert_eq!(["1,sorted", "2,sorted", "3,sorted", "4,sorted"].map(meet), [true, false, true, true]);
}
