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
      <script type="module" crossorigin src="{root}console/console-gcd3n0o6.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-n7hg46zf.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 103] = [
    file!("Account-jv450kg6.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-4mnh8ieh.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-lmkljzse.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-jxhj3kuh.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-o953px08.js", "text/javascript; charset=utf-8"),
    file!("Bulk-f8sx1tl3.js", "text/javascript; charset=utf-8"),
    file!("Bulk-gwk1zqqo.css", "text/css; charset=utf-8"),
    file!("CardBar-dkmmwz23.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-e73xvehh.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-krb8ipmk.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-kad00aip.js", "text/javascript; charset=utf-8"),
    file!("Commands-e17b9g1p.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-edrto1ys.js", "text/javascript; charset=utf-8"),
    file!("Dialog-dpt8x0s5.css", "text/css; charset=utf-8"),
    file!("Dialog-k9qpfaqa.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-oetihqac.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-mz8jnyvw.js", "text/javascript; charset=utf-8"),
    file!("Facts-lkys59oy.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-b6ga4yaa.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("FileField-ji79z3zf.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-cpodx8ks.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("Footer-f3ezvbzr.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-nxqjih7w.js", "text/javascript; charset=utf-8"),
    file!("Import-bzf12ijw.css", "text/css; charset=utf-8"),
    file!("Import-hxsakow1.js", "text/javascript; charset=utf-8"),
    file!("Inbox-brwj2cbc.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("JobProgress-nsg05u0q.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-lhokqzb9.js", "text/javascript; charset=utf-8"),
    file!("JsonField-djow0q8r.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-oecrwv38.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-nufiyuvl.js", "text/javascript; charset=utf-8"),
    file!("Merge-mascrpqu.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-ho9egntf.js", "text/javascript; charset=utf-8"),
    file!("Outbox-nwpxnft6.js", "text/javascript; charset=utf-8"),
    file!("Page-dg7wesoh.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("Parameters-oentx6nk.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-j1kxvudd.js", "text/javascript; charset=utf-8"),
    file!("Query-dkvsyy7e.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-jhsi8v0f.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-lkvp2cl6.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-buup1l79.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-ninmkv0y.js", "text/javascript; charset=utf-8"),
    file!("Related-lsqo0ru7.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-jksed7b1.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-c2s25ims.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-dc2yyxs0.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("Start-bqo8gop0.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-cuqki6p8.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-ik0lqnqd.js", "text/javascript; charset=utf-8"),
    file!("Toasts-l7dg7y5e.css", "text/css; charset=utf-8"),
    file!("ValueMenu-dt9pqjf2.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-qnmv7mvz.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-bfzpojw6.js", "text/javascript; charset=utf-8"),
    file!("console-gcd3n0o6.js", "text/javascript; charset=utf-8"),
    file!("console-n7hg46zf.css", "text/css; charset=utf-8"),
    file!("cs-goexznhq.js", "text/javascript; charset=utf-8"),
    file!("editBatch-idm5cd8s.js", "text/javascript; charset=utf-8"),
    file!("en-edqaw42k.js", "text/javascript; charset=utf-8"),
    file!("keptstore-futnjvdx.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-fm1t7adf.js", "text/javascript; charset=utf-8"),
    file!("more-ben5dar3.js", "text/javascript; charset=utf-8"),
    file!("more-gm5cb1rj.js", "text/javascript; charset=utf-8"),
    file!("parse-jhg7giyv.js", "text/javascript; charset=utf-8"),
    file!("plot-fg82rllr.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("selection-bohplurw.js", "text/javascript; charset=utf-8"),
];
