//! Damaged level files: cut, flipped, spliced. The program never panics.

use crate::torn;

use tristan_generate::Rng;
use tristan_spec::iso::Library;

fn samples() -> Vec<String> {
    Library::standard().files().map(|(_, text)| renamed(text)).collect()
}

fn below(rng: &mut Rng, bound: usize) -> usize {
    usize::try_from(rng.below(bound as u64)).expect("it is smaller than the bound")
}

/// The same file with other names, so that it does not clash with the library's own.
fn renamed(text: &str) -> String {
    let mut renamed = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        match words.as_slice() {
            [first @ ("level" | "framework" | "let" | "def"), name, rest] => {
                renamed += &format!("{first} my-{name} {rest}\n");
            }
            _ if line.trim_start().starts_with("also ") => {}
            _ => renamed += &format!("{line}\n"),
        }
    }
    renamed
}

#[test]
fn files_cut_anywhere_do_no_harm() {
    for text in samples() {
        for cut in (0..text.len()).step_by(7) {
            torn::survive(&text.as_bytes()[..cut]);
        }
    }
}

#[test]
fn files_with_other_bytes_do_no_harm() {
    let seed = 11;
    let mut rng = Rng::new(seed);
    let bytes: &[u8] = b"(){}[]|\\&;?+*^-1=:,.\"/ \n\tUWRx\xff\xc3\x00";
    for text in samples() {
        for _ in 0..150 {
            let mut torn = text.clone().into_bytes();
            for _ in 0..=rng.below(3) {
                let at = below(&mut rng, torn.len());
                torn[at] = bytes[below(&mut rng, bytes.len())];
            }
            torn::survive(&torn);
        }
    }
}

#[test]
fn words_in_other_places_do_no_harm() {
    let seed = 12;
    let mut rng = Rng::new(seed);
    let samples = samples();
    let words: Vec<&str> = samples.iter().flat_map(|text| text.split_inclusive(' ')).collect();
    let mut fine = 0;
    for text in &samples {
        for _ in 0..150 {
            let mut torn: Vec<&str> = text.split_inclusive(' ').collect();
            for _ in 0..=rng.below(2) {
                let at = below(&mut rng, torn.len());
                match rng.below(3) {
                    0 => drop(torn.remove(at)),
                    1 => torn[at] = words[below(&mut rng, words.len())],
                    _ => torn.insert(at, words[below(&mut rng, words.len())]),
                }
            }
            fine += usize::from(torn::survive(torn.concat().as_bytes()));
        }
    }
    assert!(fine > 100, "{fine} files were still right");
}

#[test]
fn halves_of_two_files_do_no_harm() {
    let seed = 13;
    let mut rng = Rng::new(seed);
    let samples = samples();
    for _ in 0..1_500 {
        let (first, second) =
            (&samples[below(&mut rng, samples.len())], &samples[below(&mut rng, samples.len())]);
        let (end, start) = (below(&mut rng, first.len()), below(&mut rng, second.len()));
        let torn = [&first.as_bytes()[..end], &second.as_bytes()[start..]].concat();
        torn::survive(&torn);
    }
}
