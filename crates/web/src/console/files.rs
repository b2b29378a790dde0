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
        <link rel="icon" type="image/svg+xml" href="{root}console/icon-dof30kui.svg" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-iq7voksc.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-m5ac0lfv.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 122] = [
    file!("Account-jbxmpi6x.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-jsok998c.js", "text/javascript; charset=utf-8"),
    file!("Automations-b11c93no.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("Board-mc3nb90c.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-gw7kch6a.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("Bulk-36zclqff.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-fq6mxgro.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CardBar-l1ftlb9c.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-bk2azxvw.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-d53dqqpc.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-jfw9kcs8.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("Commands-k2lpzqsk.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-dmkbv170.js", "text/javascript; charset=utf-8"),
    file!("Dialog-jysws75g.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-juuyizzg.js", "text/javascript; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("Entries-gcqf7yiq.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-knu0he58.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Facts-ot04vqv4.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-ggst8nn4.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FileField-oea0rbzz.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-jpmd1e9x.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-jtwkgzlw.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-f2cjwp3y.js", "text/javascript; charset=utf-8"),
    file!("Import-bgaq9en4.js", "text/javascript; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-l5car8ci.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("JobProgress-odnz4y8a.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-dljiaa3q.js", "text/javascript; charset=utf-8"),
    file!("Json-dmd4p6qz.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-kcchxoj2.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-n372aux5.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-fdgt9k6t.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-ftidr4k1.js", "text/javascript; charset=utf-8"),
    file!("Merge-jgyxsnlm.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-jrtx2q0e.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Operate-ozxk7f0x.js", "text/javascript; charset=utf-8"),
    file!("Outbox-cz47m4yi.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Page-nkwqmx91.js", "text/javascript; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-jml7l9v8.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-tduw8lmh.js", "text/javascript; charset=utf-8"),
    file!("Query-95eohvzn.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-e9xep2rb.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-abrtmnek.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-eknpre01.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mgbx0prj.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-ozvcysk3.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-hl72o3x7.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-dumcl4o2.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-d34n52qk.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-ca87tb8u.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-hwwvylfr.js", "text/javascript; charset=utf-8"),
    file!("Toasts-b3kd5158.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("ValueMenu-5vr8city.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-b1igqgn5.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("badRows-ous35n15.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-byzkgob4.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-nfutx6hz.js", "text/javascript; charset=utf-8"),
    file!("console-iq7voksc.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("cs-hec7hxle.js", "text/javascript; charset=utf-8"),
    file!("editBatch-nl3maqcw.js", "text/javascript; charset=utf-8"),
    file!("en-xal1kvo1.js", "text/javascript; charset=utf-8"),
    file!("format-lmo8rsju.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-lg4wxtzm.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-houw2jq7.js", "text/javascript; charset=utf-8"),
    file!("more-gmux1wfq.js", "text/javascript; charset=utf-8"),
    file!("more-gvi9vx1o.js", "text/javascript; charset=utf-8"),
    file!("parse-lor4s4tx.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-hu8zqp8b.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-jj2atr7o.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-cg6uft9v.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-i2eddjlj.js", "text/javascript; charset=utf-8"),
    file!("selection-qo91ulhe.js", "text/javascript; charset=utf-8"),
    file!("undoing-czydhjyu.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-jxk3x9yf.js", "text/javascript; charset=utf-8"),
];
