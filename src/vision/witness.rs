//! How far the shapes can be believed: how often they take an element of each role for what.

use super::nodes::Verdict;
use crate::scene::Role;

/// What the shapes take something for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    /// They have not found it.
    Nothing,
    Container,
    Part,
    Square,
    Circle,
    /// Words left of a field or above it.
    Label,
    Is(Role),
}

impl From<Verdict> for Guess {
    fn from(verdict: Verdict) -> Guess {
        match verdict {
            Verdict::Container => Guess::Container,
            Verdict::Part => Guess::Part,
            Verdict::Is(role) => Guess::Is(role),
        }
    }
}

/// The share of the elements of each role (in the order of `Role::ALL`) that the shapes take for this, with a little
/// for what was never met. Counted on 140 generated screens that the shapes were not made on and the detector's test
/// does not use; `the_witness_is_counted` counts again.
#[rustfmt::skip]
const SHARES: [(Guess, [f32; Role::ALL.len()]); 16] = [
    (Guess::Nothing, [0.339, 0.685, 0.349, 0.034, 0.034, 0.046, 0.081, 0.466, 0.426, 0.333, 0.442, 0.736, 0.387, 0.341, 0.181, 0.203]),
    (Guess::Container, [0.102, 0.121, 0.002, 0.102, 0.062, 0.090, 0.101, 0.011, 0.007, 0.094, 0.011, 0.100, 0.155, 0.002, 0.490, 0.652]),
    (Guess::Part, [0.015, 0.004, 0.002, 0.002, 0.002, 0.001, 0.002, 0.004, 0.002, 0.002, 0.000, 0.009, 0.070, 0.000, 0.021, 0.008]),
    (Guess::Square, [0.017, 0.041, 0.002, 0.001, 0.002, 0.780, 0.022, 0.004, 0.002, 0.002, 0.000, 0.009, 0.070, 0.004, 0.021, 0.008]),
    (Guess::Circle, [0.001, 0.010, 0.002, 0.001, 0.002, 0.021, 0.765, 0.004, 0.002, 0.002, 0.000, 0.009, 0.070, 0.000, 0.009, 0.008]),
    (Guess::Is(Role::Button), [0.418, 0.007, 0.006, 0.094, 0.065, 0.001, 0.002, 0.289, 0.027, 0.048, 0.019, 0.009, 0.009, 0.007, 0.058, 0.008]),
    (Guess::Is(Role::Icon), [0.026, 0.067, 0.002, 0.001, 0.002, 0.044, 0.002, 0.004, 0.002, 0.002, 0.000, 0.009, 0.106, 0.000, 0.107, 0.008]),
    (Guess::Is(Role::Textbox), [0.009, 0.002, 0.006, 0.719, 0.055, 0.001, 0.002, 0.004, 0.002, 0.027, 0.016, 0.009, 0.009, 0.002, 0.009, 0.008]),
    (Guess::Is(Role::Combobox), [0.011, 0.000, 0.002, 0.023, 0.737, 0.001, 0.002, 0.036, 0.002, 0.002, 0.000, 0.009, 0.021, 0.000, 0.009, 0.008]),
    (Guess::Is(Role::Cell), [0.026, 0.000, 0.002, 0.011, 0.002, 0.001, 0.002, 0.004, 0.002, 0.002, 0.417, 0.009, 0.009, 0.000, 0.009, 0.008]),
    (Guess::Label, [0.001, 0.004, 0.002, 0.001, 0.002, 0.001, 0.002, 0.004, 0.009, 0.007, 0.007, 0.009, 0.009, 0.258, 0.009, 0.008]),
    (Guess::Is(Role::Text), [0.018, 0.047, 0.093, 0.005, 0.013, 0.001, 0.002, 0.106, 0.087, 0.412, 0.086, 0.009, 0.021, 0.360, 0.021, 0.008]),
    (Guess::Is(Role::Link), [0.003, 0.011, 0.436, 0.001, 0.002, 0.001, 0.002, 0.004, 0.002, 0.002, 0.000, 0.009, 0.009, 0.003, 0.009, 0.008]),
    (Guess::Is(Role::Tab), [0.001, 0.000, 0.002, 0.001, 0.002, 0.001, 0.002, 0.011, 0.002, 0.002, 0.000, 0.009, 0.009, 0.000, 0.009, 0.008]),
    (Guess::Is(Role::Menuitem), [0.015, 0.000, 0.080, 0.001, 0.002, 0.001, 0.002, 0.023, 0.406, 0.002, 0.001, 0.009, 0.009, 0.020, 0.009, 0.008]),
    (Guess::Is(Role::Listitem), [0.001, 0.000, 0.002, 0.001, 0.002, 0.001, 0.002, 0.004, 0.014, 0.058, 0.000, 0.009, 0.009, 0.000, 0.009, 0.008]),
];

/// The share of the elements of `role` that the shapes take for `guess`.
pub(super) fn likelihood(guess: Guess, role: Role) -> f32 {
    let row = SHARES.iter().find(|(known, _)| *known == guess);
    row.map_or(1.0, |(_, shares)| shares[role as usize])
}

/// The share of the elements of each role (in the order of `Role::ALL`) that have words of their own left of them or
/// above their beginning, as a label stands. Counted on the same screens; plain words are guessed.
#[rustfmt::skip]
const NAMED: [f32; Role::ALL.len()] =
    [0.08, 0.02, 0.21, 0.77, 0.73, 0.49, 0.75, 0.03, 0.09, 0.12, 0.02, 0.65, 0.19, 0.30, 0.03, 0.02];

/// How likely an element of `role` has a label beside it.
pub(super) fn named(role: Role) -> f32 {
    NAMED.get(role as usize).copied().unwrap_or(0.5)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::path::Path;

    use super::*;
    use crate::scene::ImageRect;
    use crate::vision::detector::overlap;
    use crate::vision::{fuse, lines, pixels, shapes::Shapes, tests::eyes};

    /// A little for what was never met, so that nothing is impossible.
    const NEVER_MET: f32 = 0.7;

    fn is_best(guesses: &[(Guess, ImageRect)], truth: ImageRect, least: f32) -> Option<Guess> {
        let shares = guesses.iter().map(|(guess, bbox)| (overlap(*bbox, truth), *guess));
        shares.filter(|(shared, _)| *shared >= least).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, guess)| guess)
    }

    /// Prints the table of [`SHARES`], counted on the screens of the folder that DESKHAND_SCREENS names.
    #[test]
    #[ignore = "needs a folder of generated screens"]
    fn the_witness_is_counted() {
        let folder = std::env::var_os("DESKHAND_SCREENS").expect("DESKHAND_SCREENS names a folder");
        let mut eyes = eyes();
        let mut all = [0.0f32; Role::ALL.len()];
        let mut counts: HashMap<String, [f32; Role::ALL.len()]> = HashMap::new();
        for file in std::fs::read_dir(Path::new(&folder)).expect("the folder is there") {
            let file = file.expect("it is read").path();
            let Ok(image) = image::open(&file) else { continue };
            let image = image.to_rgb8();
            let truth = std::fs::read(file.with_extension("json")).expect("a picture has its truth");
            let truth: serde_json::Value = serde_json::from_slice(&truth).expect("it is JSON");
            let shapes = Shapes::of(&image);
            let found =
                eyes.ocr.find_content(&image, &lines::content(&shapes), pixels::frame(&image)).expect("it is read");
            let areas = lines::pieces(&image, &shapes, &found);
            let crops: Vec<ImageRect> = areas.iter().map(|a| a.crop).collect();
            let texts = eyes.ocr.read(&image, &crops).expect("it is read");
            let read = lines::assemble(&image, &shapes, areas, texts, &[]);
            let [ticks, nodes, words] = fuse::guesses(&image, &shapes, read);
            for e in truth["elements"].as_array().into_iter().flatten().filter(|e| e["ignore"] != true) {
                let Some(role) = Role::ALL.into_iter().find(|role| e["role"] == role.name()) else { continue };
                let edge = |at: usize| e["bbox"][at].as_f64().unwrap_or_default().round() as i32;
                let bbox = pixels::rect(edge(0), edge(1), edge(2), edge(3));
                all[role as usize] += 1.0;
                let tick = is_best(&ticks, bbox, 0.4);
                let others = [is_best(&nodes, bbox, 0.45), is_best(&words, bbox, 0.3)];
                let mut guesses: Vec<Guess> =
                    tick.map_or_else(|| others.into_iter().flatten().collect(), |tick| vec![tick]);
                if guesses.is_empty() {
                    guesses.push(Guess::Nothing);
                }
                for guess in guesses {
                    counts.entry(format!("{guess:?}")).or_default()[role as usize] += 1.0;
                }
            }
        }
        for (guess, _) in SHARES {
            let row = counts.get(&format!("{guess:?}")).copied().unwrap_or_default();
            let kinds = SHARES.len() as f32;
            let shares = row.iter().zip(all).map(|(n, all)| (n + NEVER_MET) / (all + NEVER_MET * kinds));
            println!("    (Guess::{guess:?}, {:.3?}),", shares.collect::<Vec<f32>>());
        }
    }
}
