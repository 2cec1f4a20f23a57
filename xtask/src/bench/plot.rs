//! Bars on a logarithmic scale.

use std::fmt::Write;

/// One picture.
pub(super) struct Plot {
    pub(super) title: &'static str,
    /// What the two bars of a row are.
    pub(super) legend: [&'static str; 2],
    pub(super) panels: Vec<Panel>,
}

/// Bars that have a scale in common.
pub(super) struct Panel {
    pub(super) title: &'static str,
    /// What a bar is about, and its two values.
    pub(super) rows: Vec<(String, [f64; 2])>,
}

const COLOURS: [&str; 2] = ["#2f6f4f", "#9cc7ae"];
const WIDTH: f64 = 860.0;
/// Where the bars begin and how long the longest is: before them their names, behind them their values.
const LEFT: f64 = 310.0;
const LONGEST: f64 = 490.0;
const ROW: usize = 34;
const HEAD: usize = 40;

impl Plot {
    /// The picture as SVG.
    pub(super) fn svg(&self) -> String {
        let height: usize = self.panels.iter().map(Panel::height).sum::<usize>() + HEAD;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{} (logarithmic scales)</text>\n",
            escaped(self.title)
        );
        for (index, (set, colour)) in self.legend.iter().zip(COLOURS).enumerate() {
            let x = WIDTH - 170.0 + 80.0 * index as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"13\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
                 <text x=\"{}\" y=\"24\">{set}</text>",
                x + 17.0
            );
        }
        let mut top = HEAD;
        for panel in &self.panels {
            panel.draw(&mut svg, top);
            top += panel.height();
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl Panel {
    fn height(&self) -> usize {
        ROW * self.rows.len() + 60
    }

    /// The scale's ends, as powers of ten: somewhat less than the least value, and the greatest.
    fn scale(&self) -> (f64, f64) {
        let values = self.rows.iter().flat_map(|(_, values)| values).filter(|value| **value > 0.0);
        let (least, greatest) = values
            .fold((f64::INFINITY, 0.0_f64), |(least, greatest), value| {
                (least.min(*value), greatest.max(*value))
            });
        ((least / 2.0).log10(), greatest.log10())
    }

    fn draw(&self, svg: &mut String, top: usize) {
        let (least, greatest) = self.scale();
        let at = |value: f64| LEFT + LONGEST * (value.log10() - least) / (greatest - least);
        let (first, bottom) = (top + 40, top + 42 + ROW * self.rows.len());
        let _ = writeln!(
            svg,
            "<text x=\"12\" y=\"{}\" font-weight=\"bold\">{}</text>",
            top + 16,
            escaped(self.title)
        );
        for power in least.ceil() as i32..=greatest.floor() as i32 {
            let (value, x) = (10_f64.powi(power), at(10_f64.powi(power)));
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.0}\" x2=\"{x:.0}\" y1=\"{first}\" y2=\"{bottom}\" stroke=\"#cccccc\"/>\
                 <text x=\"{x:.0}\" y=\"{}\" font-size=\"11\" fill=\"#666666\" \
                 text-anchor=\"middle\">{value}</text>",
                top + 34
            );
        }
        for (row, (label, values)) in self.rows.iter().enumerate() {
            let y = first + 4 + ROW * row;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 17,
                escaped(label)
            );
            for (set, (value, colour)) in values.iter().zip(COLOURS).enumerate() {
                let (y, end) = (y + 13 * set, at(*value));
                let _ = writeln!(
                    svg,
                    "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{:.0}\" height=\"12\" fill=\"{colour}\"/>\
                     <text x=\"{:.0}\" y=\"{}\" font-size=\"11\">{}</text>",
                    end - LEFT,
                    end + 5.0,
                    y + 10,
                    super::page::times(*value)
                );
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('`', "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
