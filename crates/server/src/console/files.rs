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
      <script type="module" crossorigin src="{root}console/console-effd9su2.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c9y0lges.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 113] = [
    file!("Account-b3azzjyi.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-e256hw9d.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-napzmc5x.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("Board-lu13adjj.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-nq2bf1ql.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hs7refi3.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-bpt8rq2n.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CardBar-lkgws7gw.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-gfe6w9yt.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-ixvt6lz5.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-oierfx41.js", "text/javascript; charset=utf-8"),
    file!("Commands-jiwln9an.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ayux6bcj.js", "text/javascript; charset=utf-8"),
    file!("Dialog-c8h67ghf.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-jji7h2cj.js", "text/javascript; charset=utf-8"),
    file!("Export-ja2zghek.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-9iy5hyk6.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-eywi0a5l.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FileField-m152zdmy.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-c9mpv9dr.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("Footer-dlqs9j7d.js", "text/javascript; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Help-bate18r7.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Import-esbekvcz.css", "text/css; charset=utf-8"),
    file!("Import-f19lc7mm.js", "text/javascript; charset=utf-8"),
    file!("Inbox-bazf30k9.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("JobProgress-bsiruj52.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-i42mcnva.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-oxeizdsr.js", "text/javascript; charset=utf-8"),
    file!("JsonField-d4zz90r7.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-k1jflfde.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-bllsni52.js", "text/javascript; charset=utf-8"),
    file!("Merge-nuia95d6.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-mjmyivhk.js", "text/javascript; charset=utf-8"),
    file!("Outbox-jx2ua56q.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-o4j9ds5f.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("Parameters-mtgnp3yv.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-f44wavuz.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-oti9y3pg.js", "text/javascript; charset=utf-8"),
    file!("Reads-h01mpxzg.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-c5pegfxr.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-cnabw7fo.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-d6gmrhdc.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-ofal9ab9.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-l7kwtoct.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-eduz1hcy.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-n7qfesej.js", "text/javascript; charset=utf-8"),
    file!("Start-ni21flg4.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-h3rbo4x5.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-jjgp6871.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-kdtkzkds.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("ViewDialog-lhhgfoc0.js", "text/javascript; charset=utf-8"),
    file!("badRows-mvo6w1st.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-ktxr9hah.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-kh8oe514.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-effd9su2.js", "text/javascript; charset=utf-8"),
    file!("cs-jo7ryyml.js", "text/javascript; charset=utf-8"),
    file!("editBatch-fmrq16mt.js", "text/javascript; charset=utf-8"),
    file!("en-ggeovfq4.js", "text/javascript; charset=utf-8"),
    file!("format-b906o83o.js", "text/javascript; charset=utf-8"),
    file!("keptstore-d1pejri6.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-dcvb21tp.js", "text/javascript; charset=utf-8"),
    file!("more-jsh8ulcu.js", "text/javascript; charset=utf-8"),
    file!("more-ma2e47qb.js", "text/javascript; charset=utf-8"),
    file!("parse-dneccqdx.js", "text/javascript; charset=utf-8"),
    file!("plot-jx3mgkwp.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-cylmv1ur.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-k38nhfxc.js", "text/javascript; charset=utf-8"),
    file!("selection-cq79aqp0.js", "text/javascript; charset=utf-8"),
    file!("undoing-hub7othk.js", "text/javascript; charset=utf-8"),
];
