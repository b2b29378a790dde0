//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

macro_rules! file {
    ($name:literal, $media_type:literal) => {
        ConsoleFile {
            name: $name,
            media_type: $media_type,
            brotli: include_bytes!(concat!("../../../../console/dist/", $name, ".br")),
            gzip: include_bytes!(concat!("../../../../console/dist/", $name, ".gz")),
        }
    };
}

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
      <script type="module" crossorigin src="{root}console/console-blay0q8j.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c9y0lges.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 111] = [
    file!("Account-g1fpuvnu.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-jqr0xcuh.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-paf5afdp.js", "text/javascript; charset=utf-8"),
    file!("Board-goy6xjkj.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-cd8q3gg5.js", "text/javascript; charset=utf-8"),
    file!("Bulk-er684zcl.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("CardBar-ig4qxjlk.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-j85qg8xz.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-mv79r85u.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-nwoscu49.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("Commands-wst02768.js", "text/javascript; charset=utf-8"),
    file!("CreateDialog-mvqnq5ph.js", "text/javascript; charset=utf-8"),
    file!("Dialog-czh9w9ln.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Entries-cd8wq5qf.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-nkrn1omt.js", "text/javascript; charset=utf-8"),
    file!("Facts-f1i3b2f5.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-mviyajmq.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FileField-n886zlwa.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-esc1qmob.js", "text/javascript; charset=utf-8"),
    file!("Footer-defvsfb5.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-de7pi4g7.js", "text/javascript; charset=utf-8"),
    file!("Import-m3airjg0.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-ji8tpw79.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-jixu539z.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-nmxk4tlb.js", "text/javascript; charset=utf-8"),
    file!("Json-d3jqj2j7.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gbxpzh3h.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-crl72g0h.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-hteiqa94.js", "text/javascript; charset=utf-8"),
    file!("Merge-de7fmbah.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-g3pifpjv.js", "text/javascript; charset=utf-8"),
    file!("Outbox-i2k8jys9.js", "text/javascript; charset=utf-8"),
    file!("Page-jh67jbf7.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-if2kzbmx.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-0s1wt250.js", "text/javascript; charset=utf-8"),
    file!("Query-khg9z0zg.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-h5gfax2x.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-85aiexm0.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordJson-mnas31n5.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-g40zyjnb.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-o2259gcx.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-nfhjpl0r.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-heg9cb8q.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-e4y8g00m.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("Start-n672by13.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-k75htol2.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-flm1okgx.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-glfw2l7w.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-jsl53nfc.js", "text/javascript; charset=utf-8"),
    file!("badRows-hgo7yrpi.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-ock6t68b.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-e4odq6ak.js", "text/javascript; charset=utf-8"),
    file!("console-blay0q8j.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("cs-ctbbw9n1.js", "text/javascript; charset=utf-8"),
    file!("editBatch-gexggnrc.js", "text/javascript; charset=utf-8"),
    file!("en-c8jcosva.js", "text/javascript; charset=utf-8"),
    file!("keptstore-c5cxzu0v.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-fhm3mqal.js", "text/javascript; charset=utf-8"),
    file!("more-fvhmo6qn.js", "text/javascript; charset=utf-8"),
    file!("more-idhu87qn.js", "text/javascript; charset=utf-8"),
    file!("parse-m0kz7uws.js", "text/javascript; charset=utf-8"),
    file!("plot-jkbrfn09.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-cepmfdqx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-k7t55eyz.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-nu4d1qa5.js", "text/javascript; charset=utf-8"),
    file!("selection-hsn3xttn.js", "text/javascript; charset=utf-8"),
    file!("undoing-liqhjixb.js", "text/javascript; charset=utf-8"),
];
