//! The best one-to-one assignment: which row takes which column so that the sum of scores is largest.

/// Assigns rows to columns of a matrix of scores (all rows equally long) so that the sum is largest; pairs whose
/// score is not above `least` stay unassigned. Hungarian method with potentials, O(rows² · columns).
pub(super) fn best(scores: &[Vec<f64>], least: f64) -> Vec<Option<usize>> {
    let rows = scores.len();
    let real = scores.first().map_or(0, Vec::len);
    // Each row may stay alone at no cost: one free column for each.
    let columns = real + rows;
    let cost = |r: usize, c: usize| -> f64 {
        let score = scores.get(r).and_then(|row| row.get(c)).copied().unwrap_or(0.0);
        if c < real && score > least { -score } else { 0.0 }
    };
    // Indices from 1; 0 is the starting point outside the matrix.
    let mut row_potential = vec![0.0; rows + 1];
    let mut column_potential = vec![0.0; columns + 1];
    let mut owner = vec![0usize; columns + 1];
    let mut way = vec![0usize; columns + 1];
    for r in 1..=rows {
        owner[0] = r;
        let mut at = 0usize;
        let mut slack = vec![f64::INFINITY; columns + 1];
        let mut used = vec![false; columns + 1];
        while owner[at] != 0 {
            used[at] = true;
            let row = owner[at];
            let mut delta = f64::INFINITY;
            let mut next = 0;
            for c in 1..=columns {
                if used[c] {
                    continue;
                }
                let reduced = cost(row - 1, c - 1) - row_potential[row] - column_potential[c];
                if reduced < slack[c] {
                    slack[c] = reduced;
                    way[c] = at;
                }
                if slack[c] < delta {
                    delta = slack[c];
                    next = c;
                }
            }
            for c in 0..=columns {
                if used[c] {
                    row_potential[owner[c]] += delta;
                    column_potential[c] -= delta;
                } else {
                    slack[c] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            let before = way[at];
            owner[at] = owner[before];
            at = before;
        }
    }
    let mut out = vec![None; rows];
    for (c, owner) in owner.iter().skip(1).take(real).enumerate() {
        if let Some(r) = owner.checked_sub(1)
            && -cost(r, c) > 0.0
        {
            out[r] = Some(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_counts_not_the_first_come() {
        let scores = vec![vec![0.9, 0.8], vec![0.88, 0.1]];
        assert_eq!(best(&scores, 0.5), [Some(1), Some(0)]);
    }

    #[test]
    fn weak_pairs_stay_alone() {
        assert_eq!(best(&[vec![0.4, 0.3]], 0.5), [None]);
        assert_eq!(best(&[vec![0.9], vec![0.8]], 0.5), [Some(0), None]);
        assert_eq!(best(&[], 0.5), Vec::<Option<usize>>::new());
        assert_eq!(best(&[vec![], vec![]], 0.5), [None, None]);
    }

    proptest::proptest! {
        #[test]
        fn never_worse_than_taking_the_largest_first(
            flat in proptest::collection::vec(0.0f64..1.0, 12), wide in proptest::bool::ANY
        ) {
            let width = if wide { 4 } else { 3 };
            let scores: Vec<Vec<f64>> = flat.chunks(width).map(<[f64]>::to_vec).collect();
            let found: f64 = best(&scores, 0.0).iter().enumerate().filter_map(|(r, c)| c.map(|c| scores[r][c])).sum();
            let mut edges: Vec<(usize, usize)> =
                (0..scores.len()).flat_map(|r| (0..width).map(move |c| (r, c))).collect();
            edges.sort_by(|a, b| scores[b.0][b.1].total_cmp(&scores[a.0][a.1]));
            let (mut rows, mut columns, mut greedy) = (Vec::new(), Vec::new(), 0.0);
            for (r, c) in edges {
                if !rows.contains(&r) && !columns.contains(&c) {
                    rows.push(r);
                    columns.push(c);
                    greedy += scores[r][c];
                }
            }
            proptest::prop_assert!(found >= greedy - 1e-9);
        }
    }
}
