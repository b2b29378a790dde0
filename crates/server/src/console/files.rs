//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

/// The page of all places.
pub(super) const PAGE: &str = r##"<!doctype html>
<html lang="en">
    <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-h63bspvr.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c0rqeh07.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 93] = [
    ConsoleFile {
        name: "Account-hz75f9r3.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Account-hz75f9r3.js.br"),
        gzip: include_bytes!("../../../../console/dist/Account-hz75f9r3.js.gz"),
    },
    ConsoleFile {
        name: "Account-o4z617tb.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Account-o4z617tb.css.br"),
        gzip: include_bytes!("../../../../console/dist/Account-o4z617tb.css.gz"),
    },
    ConsoleFile {
        name: "Audit-kqpdj4pa.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Audit-kqpdj4pa.js.br"),
        gzip: include_bytes!("../../../../console/dist/Audit-kqpdj4pa.js.gz"),
    },
    ConsoleFile {
        name: "Automations-3mhxvm9e.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Automations-3mhxvm9e.js.br"),
        gzip: include_bytes!("../../../../console/dist/Automations-3mhxvm9e.js.gz"),
    },
    ConsoleFile {
        name: "Automations-lp98xqhu.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Automations-lp98xqhu.css.br"),
        gzip: include_bytes!("../../../../console/dist/Automations-lp98xqhu.css.gz"),
    },
    ConsoleFile {
        name: "Board-9u7zjzuc.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Board-9u7zjzuc.css.br"),
        gzip: include_bytes!("../../../../console/dist/Board-9u7zjzuc.css.gz"),
    },
    ConsoleFile {
        name: "Board-mxwk0a8f.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Board-mxwk0a8f.js.br"),
        gzip: include_bytes!("../../../../console/dist/Board-mxwk0a8f.js.gz"),
    },
    ConsoleFile {
        name: "BottomBar-c2tt3phe.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/BottomBar-c2tt3phe.css.br"),
        gzip: include_bytes!("../../../../console/dist/BottomBar-c2tt3phe.css.gz"),
    },
    ConsoleFile {
        name: "BottomBar-kh2q9a9x.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/BottomBar-kh2q9a9x.js.br"),
        gzip: include_bytes!("../../../../console/dist/BottomBar-kh2q9a9x.js.gz"),
    },
    ConsoleFile {
        name: "Bulk-hkgtv8aa.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Bulk-hkgtv8aa.css.br"),
        gzip: include_bytes!("../../../../console/dist/Bulk-hkgtv8aa.css.gz"),
    },
    ConsoleFile {
        name: "Bulk-kyjuhtf3.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Bulk-kyjuhtf3.js.br"),
        gzip: include_bytes!("../../../../console/dist/Bulk-kyjuhtf3.js.gz"),
    },
    ConsoleFile {
        name: "CellEditor-fabs5jlj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CellEditor-fabs5jlj.js.br"),
        gzip: include_bytes!("../../../../console/dist/CellEditor-fabs5jlj.js.gz"),
    },
    ConsoleFile {
        name: "CellEditor-ib4ppgpr.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CellEditor-ib4ppgpr.css.br"),
        gzip: include_bytes!("../../../../console/dist/CellEditor-ib4ppgpr.css.gz"),
    },
    ConsoleFile {
        name: "ColorField-b6727f1n.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColorField-b6727f1n.css.br"),
        gzip: include_bytes!("../../../../console/dist/ColorField-b6727f1n.css.gz"),
    },
    ConsoleFile {
        name: "ColorField-jjk14xz3.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColorField-jjk14xz3.js.br"),
        gzip: include_bytes!("../../../../console/dist/ColorField-jjk14xz3.js.gz"),
    },
    ConsoleFile {
        name: "ColumnsPicker-fl0hjoro.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColumnsPicker-fl0hjoro.css.br"),
        gzip: include_bytes!("../../../../console/dist/ColumnsPicker-fl0hjoro.css.gz"),
    },
    ConsoleFile {
        name: "ColumnsPicker-l0bwpd90.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ColumnsPicker-l0bwpd90.js.br"),
        gzip: include_bytes!("../../../../console/dist/ColumnsPicker-l0bwpd90.js.gz"),
    },
    ConsoleFile {
        name: "Commands-f2x1v6t7.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Commands-f2x1v6t7.css.br"),
        gzip: include_bytes!("../../../../console/dist/Commands-f2x1v6t7.css.gz"),
    },
    ConsoleFile {
        name: "Commands-g1boupw6.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Commands-g1boupw6.js.br"),
        gzip: include_bytes!("../../../../console/dist/Commands-g1boupw6.js.gz"),
    },
    ConsoleFile {
        name: "CreateDialog-cylaprru.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/CreateDialog-cylaprru.js.br"),
        gzip: include_bytes!("../../../../console/dist/CreateDialog-cylaprru.js.gz"),
    },
    ConsoleFile {
        name: "Entries-ix8ioq0h.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Entries-ix8ioq0h.css.br"),
        gzip: include_bytes!("../../../../console/dist/Entries-ix8ioq0h.css.gz"),
    },
    ConsoleFile {
        name: "Entries-j7wys2vg.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Entries-j7wys2vg.js.br"),
        gzip: include_bytes!("../../../../console/dist/Entries-j7wys2vg.js.gz"),
    },
    ConsoleFile {
        name: "Export-ls6x5wl1.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Export-ls6x5wl1.css.br"),
        gzip: include_bytes!("../../../../console/dist/Export-ls6x5wl1.css.gz"),
    },
    ConsoleFile {
        name: "Export-nepkxjot.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Export-nepkxjot.js.br"),
        gzip: include_bytes!("../../../../console/dist/Export-nepkxjot.js.gz"),
    },
    ConsoleFile {
        name: "Facts-l8nvh5z3.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Facts-l8nvh5z3.js.br"),
        gzip: include_bytes!("../../../../console/dist/Facts-l8nvh5z3.js.gz"),
    },
    ConsoleFile {
        name: "Facts-na6onaux.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Facts-na6onaux.css.br"),
        gzip: include_bytes!("../../../../console/dist/Facts-na6onaux.css.gz"),
    },
    ConsoleFile {
        name: "Field-ctanwpab.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Field-ctanwpab.css.br"),
        gzip: include_bytes!("../../../../console/dist/Field-ctanwpab.css.gz"),
    },
    ConsoleFile {
        name: "Field-j7jalioh.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Field-j7jalioh.js.br"),
        gzip: include_bytes!("../../../../console/dist/Field-j7jalioh.js.gz"),
    },
    ConsoleFile {
        name: "FileField-em9apew2.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FileField-em9apew2.css.br"),
        gzip: include_bytes!("../../../../console/dist/FileField-em9apew2.css.gz"),
    },
    ConsoleFile {
        name: "FileField-fo189057.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FileField-fo189057.js.br"),
        gzip: include_bytes!("../../../../console/dist/FileField-fo189057.js.gz"),
    },
    ConsoleFile {
        name: "FilterBuilder-cmkzxej0.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FilterBuilder-cmkzxej0.js.br"),
        gzip: include_bytes!("../../../../console/dist/FilterBuilder-cmkzxej0.js.gz"),
    },
    ConsoleFile {
        name: "FilterBuilder-qxn7rle0.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/FilterBuilder-qxn7rle0.css.br"),
        gzip: include_bytes!("../../../../console/dist/FilterBuilder-qxn7rle0.css.gz"),
    },
    ConsoleFile {
        name: "Footer-fjrhej2y.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Footer-fjrhej2y.css.br"),
        gzip: include_bytes!("../../../../console/dist/Footer-fjrhej2y.css.gz"),
    },
    ConsoleFile {
        name: "Footer-nuokasic.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Footer-nuokasic.js.br"),
        gzip: include_bytes!("../../../../console/dist/Footer-nuokasic.js.gz"),
    },
    ConsoleFile {
        name: "Help-d3aj27nv.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Help-d3aj27nv.css.br"),
        gzip: include_bytes!("../../../../console/dist/Help-d3aj27nv.css.gz"),
    },
    ConsoleFile {
        name: "Help-opvxh2io.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Help-opvxh2io.js.br"),
        gzip: include_bytes!("../../../../console/dist/Help-opvxh2io.js.gz"),
    },
    ConsoleFile {
        name: "Import-cna91p7o.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Import-cna91p7o.css.br"),
        gzip: include_bytes!("../../../../console/dist/Import-cna91p7o.css.gz"),
    },
    ConsoleFile {
        name: "Import-dsstnzxt.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Import-dsstnzxt.js.br"),
        gzip: include_bytes!("../../../../console/dist/Import-dsstnzxt.js.gz"),
    },
    ConsoleFile {
        name: "Inbox-c5k4yr7g.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Inbox-c5k4yr7g.css.br"),
        gzip: include_bytes!("../../../../console/dist/Inbox-c5k4yr7g.css.gz"),
    },
    ConsoleFile {
        name: "Inbox-q83z2tiq.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Inbox-q83z2tiq.js.br"),
        gzip: include_bytes!("../../../../console/dist/Inbox-q83z2tiq.js.gz"),
    },
    ConsoleFile {
        name: "JobProgress-cc8x1sk6.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JobProgress-cc8x1sk6.js.br"),
        gzip: include_bytes!("../../../../console/dist/JobProgress-cc8x1sk6.js.gz"),
    },
    ConsoleFile {
        name: "JobProgress-nuggtfec.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JobProgress-nuggtfec.css.br"),
        gzip: include_bytes!("../../../../console/dist/JobProgress-nuggtfec.css.gz"),
    },
    ConsoleFile {
        name: "Json-bnp51rvj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Json-bnp51rvj.js.br"),
        gzip: include_bytes!("../../../../console/dist/Json-bnp51rvj.js.gz"),
    },
    ConsoleFile {
        name: "Json-jj4uebxg.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Json-jj4uebxg.css.br"),
        gzip: include_bytes!("../../../../console/dist/Json-jj4uebxg.css.gz"),
    },
    ConsoleFile {
        name: "JsonField-dw7cjnik.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JsonField-dw7cjnik.js.br"),
        gzip: include_bytes!("../../../../console/dist/JsonField-dw7cjnik.js.gz"),
    },
    ConsoleFile {
        name: "JsonField-otzk3iqc.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/JsonField-otzk3iqc.css.br"),
        gzip: include_bytes!("../../../../console/dist/JsonField-otzk3iqc.css.gz"),
    },
    ConsoleFile {
        name: "Merge-cunoc81w.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Merge-cunoc81w.js.br"),
        gzip: include_bytes!("../../../../console/dist/Merge-cunoc81w.js.gz"),
    },
    ConsoleFile {
        name: "Merge-jnqwkhy3.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Merge-jnqwkhy3.css.br"),
        gzip: include_bytes!("../../../../console/dist/Merge-jnqwkhy3.css.gz"),
    },
    ConsoleFile {
        name: "Operate-envaygzt.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Operate-envaygzt.css.br"),
        gzip: include_bytes!("../../../../console/dist/Operate-envaygzt.css.gz"),
    },
    ConsoleFile {
        name: "Operate-l1049guo.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Operate-l1049guo.js.br"),
        gzip: include_bytes!("../../../../console/dist/Operate-l1049guo.js.gz"),
    },
    ConsoleFile {
        name: "Outbox-n98mcalt.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Outbox-n98mcalt.css.br"),
        gzip: include_bytes!("../../../../console/dist/Outbox-n98mcalt.css.gz"),
    },
    ConsoleFile {
        name: "Outbox-oorechdu.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Outbox-oorechdu.js.br"),
        gzip: include_bytes!("../../../../console/dist/Outbox-oorechdu.js.gz"),
    },
    ConsoleFile {
        name: "Page-g659xj7k.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Page-g659xj7k.js.br"),
        gzip: include_bytes!("../../../../console/dist/Page-g659xj7k.js.gz"),
    },
    ConsoleFile {
        name: "Page-ko492ov3.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Page-ko492ov3.css.br"),
        gzip: include_bytes!("../../../../console/dist/Page-ko492ov3.css.gz"),
    },
    ConsoleFile {
        name: "Parameters-cscqw79i.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Parameters-cscqw79i.css.br"),
        gzip: include_bytes!("../../../../console/dist/Parameters-cscqw79i.css.gz"),
    },
    ConsoleFile {
        name: "Parameters-f1gpy7d2.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Parameters-f1gpy7d2.js.br"),
        gzip: include_bytes!("../../../../console/dist/Parameters-f1gpy7d2.js.gz"),
    },
    ConsoleFile {
        name: "PathPicker-j22qyl1h.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/PathPicker-j22qyl1h.js.br"),
        gzip: include_bytes!("../../../../console/dist/PathPicker-j22qyl1h.js.gz"),
    },
    ConsoleFile {
        name: "Query-ldzo6agc.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Query-ldzo6agc.js.br"),
        gzip: include_bytes!("../../../../console/dist/Query-ldzo6agc.js.gz"),
    },
    ConsoleFile {
        name: "Query-n42aagy4.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Query-n42aagy4.css.br"),
        gzip: include_bytes!("../../../../console/dist/Query-n42aagy4.css.gz"),
    },
    ConsoleFile {
        name: "Reads-lse9xmdi.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Reads-lse9xmdi.css.br"),
        gzip: include_bytes!("../../../../console/dist/Reads-lse9xmdi.css.gz"),
    },
    ConsoleFile {
        name: "Reads-opgtk8ac.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Reads-opgtk8ac.js.br"),
        gzip: include_bytes!("../../../../console/dist/Reads-opgtk8ac.js.gz"),
    },
    ConsoleFile {
        name: "RecordJson-mwcxlezv.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordJson-mwcxlezv.js.br"),
        gzip: include_bytes!("../../../../console/dist/RecordJson-mwcxlezv.js.gz"),
    },
    ConsoleFile {
        name: "RecordJson-nkfmr10s.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordJson-nkfmr10s.css.br"),
        gzip: include_bytes!("../../../../console/dist/RecordJson-nkfmr10s.css.gz"),
    },
    ConsoleFile {
        name: "RecordTags-ccnscfi7.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordTags-ccnscfi7.js.br"),
        gzip: include_bytes!("../../../../console/dist/RecordTags-ccnscfi7.js.gz"),
    },
    ConsoleFile {
        name: "RecordTags-keybgk9l.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/RecordTags-keybgk9l.css.br"),
        gzip: include_bytes!("../../../../console/dist/RecordTags-keybgk9l.css.gz"),
    },
    ConsoleFile {
        name: "Related-cj4gah01.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Related-cj4gah01.css.br"),
        gzip: include_bytes!("../../../../console/dist/Related-cj4gah01.css.gz"),
    },
    ConsoleFile {
        name: "Related-d582bitj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Related-d582bitj.js.br"),
        gzip: include_bytes!("../../../../console/dist/Related-d582bitj.js.gz"),
    },
    ConsoleFile {
        name: "Runs-bhpfgi6w.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Runs-bhpfgi6w.js.br"),
        gzip: include_bytes!("../../../../console/dist/Runs-bhpfgi6w.js.gz"),
    },
    ConsoleFile {
        name: "Runs-couu5e8u.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Runs-couu5e8u.css.br"),
        gzip: include_bytes!("../../../../console/dist/Runs-couu5e8u.css.gz"),
    },
    ConsoleFile {
        name: "SignInAgain-nwaoy6q2.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/SignInAgain-nwaoy6q2.js.br"),
        gzip: include_bytes!("../../../../console/dist/SignInAgain-nwaoy6q2.js.gz"),
    },
    ConsoleFile {
        name: "SignInAgain-oijudp8l.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/SignInAgain-oijudp8l.css.br"),
        gzip: include_bytes!("../../../../console/dist/SignInAgain-oijudp8l.css.gz"),
    },
    ConsoleFile {
        name: "Start-lw3zst6o.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Start-lw3zst6o.js.br"),
        gzip: include_bytes!("../../../../console/dist/Start-lw3zst6o.js.gz"),
    },
    ConsoleFile {
        name: "Start-vtg4drfq.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Start-vtg4drfq.css.br"),
        gzip: include_bytes!("../../../../console/dist/Start-vtg4drfq.css.gz"),
    },
    ConsoleFile {
        name: "State-f8jeblic.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/State-f8jeblic.js.br"),
        gzip: include_bytes!("../../../../console/dist/State-f8jeblic.js.gz"),
    },
    ConsoleFile {
        name: "State-htqnqpb4.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/State-htqnqpb4.css.br"),
        gzip: include_bytes!("../../../../console/dist/State-htqnqpb4.css.gz"),
    },
    ConsoleFile {
        name: "Tags-c87ec8ll.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Tags-c87ec8ll.css.br"),
        gzip: include_bytes!("../../../../console/dist/Tags-c87ec8ll.css.gz"),
    },
    ConsoleFile {
        name: "Tags-f2chqryl.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Tags-f2chqryl.js.br"),
        gzip: include_bytes!("../../../../console/dist/Tags-f2chqryl.js.gz"),
    },
    ConsoleFile {
        name: "Toasts-cs5ln3l0.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Toasts-cs5ln3l0.css.br"),
        gzip: include_bytes!("../../../../console/dist/Toasts-cs5ln3l0.css.gz"),
    },
    ConsoleFile {
        name: "Toasts-cub6bsdl.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/Toasts-cub6bsdl.js.br"),
        gzip: include_bytes!("../../../../console/dist/Toasts-cub6bsdl.js.gz"),
    },
    ConsoleFile {
        name: "ViewDialog-dchnopyp.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ViewDialog-dchnopyp.css.br"),
        gzip: include_bytes!("../../../../console/dist/ViewDialog-dchnopyp.css.gz"),
    },
    ConsoleFile {
        name: "ViewDialog-ma90ltn8.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/ViewDialog-ma90ltn8.js.br"),
        gzip: include_bytes!("../../../../console/dist/ViewDialog-ma90ltn8.js.gz"),
    },
    ConsoleFile {
        name: "clipboard.svelte-o353esld.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/clipboard.svelte-o353esld.js.br"),
        gzip: include_bytes!("../../../../console/dist/clipboard.svelte-o353esld.js.gz"),
    },
    ConsoleFile {
        name: "console-c0rqeh07.css",
        media_type: "text/css; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/console-c0rqeh07.css.br"),
        gzip: include_bytes!("../../../../console/dist/console-c0rqeh07.css.gz"),
    },
    ConsoleFile {
        name: "console-h63bspvr.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/console-h63bspvr.js.br"),
        gzip: include_bytes!("../../../../console/dist/console-h63bspvr.js.gz"),
    },
    ConsoleFile {
        name: "cs-losx090e.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/cs-losx090e.js.br"),
        gzip: include_bytes!("../../../../console/dist/cs-losx090e.js.gz"),
    },
    ConsoleFile {
        name: "en-bxbevfjc.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/en-bxbevfjc.js.br"),
        gzip: include_bytes!("../../../../console/dist/en-bxbevfjc.js.gz"),
    },
    ConsoleFile {
        name: "gone-d3mt9nzy.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/gone-d3mt9nzy.js.br"),
        gzip: include_bytes!("../../../../console/dist/gone-d3mt9nzy.js.gz"),
    },
    ConsoleFile {
        name: "more-iiyfveh0.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/more-iiyfveh0.js.br"),
        gzip: include_bytes!("../../../../console/dist/more-iiyfveh0.js.gz"),
    },
    ConsoleFile {
        name: "more-nrkf70hp.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/more-nrkf70hp.js.br"),
        gzip: include_bytes!("../../../../console/dist/more-nrkf70hp.js.gz"),
    },
    ConsoleFile {
        name: "parse-chfqadck.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/parse-chfqadck.js.br"),
        gzip: include_bytes!("../../../../console/dist/parse-chfqadck.js.gz"),
    },
    ConsoleFile {
        name: "plot-kw46ibaj.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/plot-kw46ibaj.js.br"),
        gzip: include_bytes!("../../../../console/dist/plot-kw46ibaj.js.gz"),
    },
    ConsoleFile {
        name: "plural-cu3ubgfx.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/plural-cu3ubgfx.js.br"),
        gzip: include_bytes!("../../../../console/dist/plural-cu3ubgfx.js.gz"),
    },
    ConsoleFile {
        name: "rolldown-runtime-mam1o4z7.js",
        media_type: "text/javascript; charset=utf-8",
        brotli: include_bytes!("../../../../console/dist/rolldown-runtime-mam1o4z7.js.br"),
        gzip: include_bytes!("../../../../console/dist/rolldown-runtime-mam1o4z7.js.gz"),
    },
];
