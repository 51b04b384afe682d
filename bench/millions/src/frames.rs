//! Frames: texts of machines, which are the same except for a few words.

use crate::chance::Chance;
use crate::words::Script;

/// `#` represents a number of up to six digits, `@` a word.
const FRAMES: [&str; 12] = [
    "Dear @, your parcel number # left our depot in @ this morning and will reach you on day #. Please keep the slip # until the driver has come.",
    "The station at @ reports # degrees, wind from the @, # per cent of clouds. The next reading of this station follows in # minutes.",
    "Lot #: one @ of the workshop @, signed, with traces of use. Bids of # and more are taken until the bell. No returns after day #.",
    "Train # from @ to @ leaves from track #. Seats are not kept after the doors close; tickets of the old fare are valid until day #.",
    "Welcome back, @! You have # unread letters and # open orders. Change the settings of your account, or leave this page by the link below.",
    "Error # in module @ at line #: the value @ is not known here. The job was stopped and its files were moved to folder #.",
    "Room # of the inn at @: two beds, a view of the @, breakfast until ten. From # a night; children below six stay free.",
    "Minutes of the board of @, sheet #: the report was read, nobody spoke against it, and the sum of # was voted for the @ fund.",
    "Recipe # from the kitchen of @: take # grams of flour, stir in the @, let it rest an hour, and bake it until it is brown.",
    "Notice # to all who live in @ street: water is cut on day # from eight to noon, as the main below house # is laid anew.",
    "Match # of the league: @ against @ ended # to #. The next round is played on the ground of the guests.",
    "This page was moved. The document @ with the number # stands in the archive of @ from now on; links to the old place end on day #.",
];

/// Appends a filled-in frame to `text`.
pub fn write(chance: &mut Chance, text: &mut String) {
    for letter in chance.one(&FRAMES).chars() {
        match letter {
            '#' => text.push_str(&chance.below(1_000_000).to_string()),
            '@' => text.push_str(&Script::Latin.word(chance)),
            letter => text.push(letter),
        }
    }
}
