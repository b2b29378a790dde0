// An import step by step: the file is sent, tried and run; a broken connection does not end it.

import { tellImport } from "../../app/jobEnds";
import { runningJobs } from "../../app/runningJobs.svelte";
import { ApiError, call } from "../../data/call";
import { model, type TypeModel } from "../../data/model";
import {
    daysOf,
    delimiterOf,
    keysOf,
    mappingOf,
    mediaType,
    missingRequired,
    nameTwice,
    numbersOf,
    targetsOf,
    withNames,
    type DateOrder,
    type DecimalSign,
    type ImportAnswer,
    type ImportMode,
    type Uploaded,
} from "../../grid/importing";
import { problemText } from "../../ui/problems";
import { say } from "../../ui/toasts";
import { stateOfJob, waitForJob, type Job } from "../../grid/jobs";
import { text } from "../../text";
import { checkReadable, isUnreadable } from "./changedFile";
import { keepMapping, keptMapping } from "./keptMappings";
import { matchingOf } from "./matching";
import { noteImport } from "./notedImports";
import { saveBadRows } from "./saveBadRows";

interface Upload {
    content: File;
    media: string;
    encoding: string | null;
}

export class ImportRun {
    readonly type: TypeModel;
    /** 0 to 3: file, columns, trial, run. */
    step = $state(0);
    file = $state.raw<File | null>(null);
    uploaded = $state.raw<Uploaded | null>(null);
    mapping = $state<Record<string, string | null>>({});
    /** The mapping is that of an earlier file, and not what the names of the columns tell. */
    remembered = $state(false);
    mode = $state<ImportMode>("create");
    key = $state("");
    keepGoing = $state(false);
    /** The sign before decimals, where it was chosen. */
    chosenDecimal = $state<DecimalSign | null>(null);
    /** The order of days with slashes, where it was chosen. */
    chosenDates = $state<DateOrder | null>(null);
    busy = $state(false);
    error = $state.raw<unknown>(null);
    job = $state.raw<Job | null>(null);
    trial = $state.raw<ImportAnswer | null>(null);
    done = $state.raw<ImportAnswer | null>(null);
    /** The connection broke before anything was imported. */
    broken = $state(false);
    /** The file was changed, moved or deleted since it was chosen: the browser cannot read it any more. */
    changed = $state(false);
    /** Rows are being written. */
    running = $state(false);
    /** The dialog was closed while rows were written. */
    behind = false;
    /** The job that writes the rows. */
    #begun: number | null = null;
    /** Rows in the downloaded file, where the server named no more of them. */
    partial = $state<number | null>(null);
    #upload: Upload | null = null;
    /** A job has used the file up: the next run needs it again. */
    #used = false;
    readonly #closed = new AbortController();

    constructor(type: TypeModel) {
        this.type = type;
    }

    get shown(): ImportAnswer | null {
        return this.done ?? this.trial;
    }

    get matching(): ReturnType<typeof matchingOf> {
        return matchingOf(this.type, this.mapping, (name) => model.type(name));
    }

    /** Numbers of the file whose signs matter; null where there are none. */
    get numbers(): ReturnType<typeof numbersOf> {
        return this.uploaded === null ? null : numbersOf(this.type, this.uploaded, this.mapping);
    }

    /** The sign before decimals: the chosen one, else the one that the numbers show. */
    get decimal(): DecimalSign | null {
        return this.numbers === null ? null : (this.chosenDecimal ?? this.numbers.way);
    }

    /** Days of the file with slashes; null where there are none. */
    get days(): ReturnType<typeof daysOf> {
        return this.uploaded === null ? null : daysOf(this.type, this.uploaded, this.mapping);
    }

    /** The order of days with slashes: the chosen one, else the one that the days show. */
    get dates(): DateOrder | null {
        return this.days === null ? null : (this.chosenDates ?? this.days.way);
    }

    get ready(): boolean {
        const maps = Object.values(this.mapping).some((name) => name !== null);
        const reads = this.numbers === null || this.decimal !== null;
        const dated = this.days === null || this.dates !== null;
        return this.uploaded !== null && maps && reads && dated && (this.mode === "create" || this.key !== "");
    }

    /** Words for what is missing before the import can be tried; none where it can be. */
    get missing(): string {
        if (this.ready || this.uploaded === null) return "";
        if (Object.values(this.mapping).every((name) => name === null)) return text.more.list.missingColumn;
        if (this.numbers !== null && this.decimal === null) return text.more.list.missingDecimal;
        return this.days !== null && this.dates === null ? text.more.list.missingDates : text.more.list.missingKey;
    }

    get #targets(): { value: string; title: string }[] {
        return targetsOf(this.type, (name) => model.type(name));
    }

    /** Words for the required properties that new records would lack: a preset may give them. Empty where there are none. */
    get lacking(): string {
        if (this.mode === "update" || this.uploaded === null) return "";
        const titles = missingRequired(this.type, this.mapping, this.#targets);
        return titles.length === 0 ? "" : text.more.list.required(titles, this.mode === "upsert");
    }

    get #columns(): string[] {
        return (this.uploaded?.columns ?? []).map(({ name }) => name);
    }

    /** Rows were imported; nothing is left to do. */
    get finished(): boolean {
        return this.done !== null && this.done.result?.kept !== false;
    }

    /** A file and its columns were chosen, and are not imported yet. */
    get holds(): boolean {
        return this.uploaded !== null && !this.finished;
    }

    /** The page must not be left: what is prepared would be lost, or the answer of a run. */
    get bound(): boolean {
        return this.holds && !(this.running && this.#begun !== null);
    }

    /** The dialog is closed. A trial is given up; a run goes on, and tells its end by a message. */
    close(): void {
        if (!this.running) this.#closed.abort();
        else {
            this.behind = true;
            if (this.#begun === null) say(text.more.list.importGoesOn(this.uploaded?.total ?? 0));
            else this.#handOver(this.#begun);
        }
    }

    /** Leaves a run to the shell, which shows it and tells its end. */
    #handOver(id: number): void {
        this.#closed.abort();
        const total = this.uploaded?.total;
        runningJobs.follow({ state: "waiting", total, ...this.job, id, kind: "import", type: this.type.name });
    }

    /** Tells the end of a run whose dialog is closed, where it was no job that the shell shows. */
    #tellEnd(): void {
        if (this.error !== null) say(text.more.list.importFailed(problemText(this.error)), { error: true });
        else if (this.broken) say(text.more.list.importBrokeBehind, { error: true });
        else if (this.done !== null) {
            const { import: id, result } = this.done;
            // Of an import that kept nothing, the server keeps no problems.
            tellImport({ ...this.done, id: result?.kept === false ? null : id, type: this.type.name });
        }
    }

    async #attempt(work: () => Promise<void>): Promise<void> {
        this.busy = true;
        this.error = null;
        this.broken = false;
        this.changed = false;
        this.partial = null;
        try {
            await work();
        } catch (failure) {
            if (this.#closed.signal.aborted) return;
            if (isUnreadable(failure)) this.changed = true;
            else if (failure instanceof ApiError) this.error = failure;
            else throw failure;
        } finally {
            this.busy = false;
            this.job = null;
        }
    }

    choose(chosen: File): Promise<void> {
        return this.#attempt(async () => {
            this.chosenDecimal = null;
            this.chosenDates = null;
            const uploaded = await this.#sendChosen(chosen);
            const guessed = mappingOf(uploaded, this.type);
            const targets = new Set(this.#targets.map(({ value }) => value));
            const kept = keptMapping(this.type.name, this.#columns, targets) ?? {};
            this.mapping = { ...guessed, ...kept };
            this.remembered = Object.entries(kept).some(([column, target]) => guessed[column] !== target);
            this.key = keysOf(this.type, this.mapping)[0] ?? "";
            this.trial = null;
            this.done = null;
            this.step = 1;
        });
    }

    /** Takes a newer file in the place of the chosen one, with all that was chosen for its columns, and checks it. */
    async chooseAnew(chosen: File): Promise<void> {
        await this.#attempt(async () => {
            const { mapping, key } = this;
            const guessed = mappingOf(await this.#sendChosen(chosen), this.type);
            const used = new Set(Object.values(mapping));
            const free = (name: string | null): string | null => (used.has(name) ? null : name);
            this.mapping = Object.fromEntries(
                Object.entries(guessed).map(([column, guess]) => [
                    column,
                    column in mapping ? (mapping[column] ?? null) : free(guess),
                ]),
            );
            if (!keysOf(this.type, this.mapping).includes(key)) this.key = keysOf(this.type, this.mapping)[0] ?? "";
            this.trial = null;
            this.done = null;
            this.step = 1;
        });
        if (this.uploaded !== null && this.error === null && !this.changed && this.ready) await this.tryIt();
    }

    async #sendChosen(chosen: File): Promise<Uploaded> {
        const { type: media, encoding } = mediaType(chosen.name);
        const uploaded = await this.#sendFile({ content: chosen, media, encoding });
        this.file = chosen;
        this.uploaded = uploaded;
        return uploaded;
    }

    async #sendFile(upload: Upload): Promise<Uploaded> {
        const { content, media, encoding } = upload;
        await checkReadable(content);
        const headers: Record<string, string> = {
            "Content-Type": media,
            ...(encoding ? { "Content-Encoding": encoding } : {}),
        };
        const query = { safe: 1, delimiter: await delimiterOf(content, media, encoding) };
        const { data } = await call<Uploaded>("POST", `import/${this.type.name}`, { raw: content, headers, query });
        const preview = withNames(data);
        const twice = nameTwice(preview);
        if (twice !== undefined) {
            call("DELETE", `job/${data.import}`).catch(() => undefined);
            throw new ApiError({ status: 400, code: "column_twice", detail: text.more.list.columnTwice(twice) });
        }
        this.#upload = upload;
        this.#used = false;
        noteImport(data.import, { name: content.name });
        return preview;
    }

    /** Tries the file as the server has it. A file that was changed since is told, unless its old copy is asked for. */
    tryIt(old = false): Promise<void> {
        return this.#attempt(async () => {
            if (!old && this.file !== null) await checkReadable(this.file);
            this.step = 2;
            this.trial = null;
            this.done = null;
            this.trial = await this.#send(true);
        });
    }

    /** Has an import that stopped go on, without the rows that have problems. Resolves as a run does. */
    resume(): Promise<number> {
        return this.run(() => this.#resume());
    }

    async #resume(): Promise<ImportAnswer> {
        const id = this.uploaded?.import ?? 0;
        try {
            await call("POST", `import/${id}/run`, { body: { resume: true, keepGoing: true } });
        } catch (error) {
            // Where the answer was lost, the job tells whether it goes on.
            if (!(error instanceof ApiError && [0, 502, 503, 504].includes(error.status))) throw error;
        }
        return this.#wait(id);
    }

    /** Resolves to the number of rows that were written. */
    async run(send = (): Promise<ImportAnswer | null> => this.#send(false)): Promise<number> {
        let count = 0;
        // A job goes on without the page; an answer that is not there yet would be lost with it.
        const unload = (event: BeforeUnloadEvent): void => {
            if (this.#begun === null) event.preventDefault();
        };
        addEventListener("beforeunload", unload);
        this.running = true;
        await this.#attempt(async () => {
            this.step = 3;
            const answer = await send();
            if (answer === null) {
                this.broken = true;
                return;
            }
            this.done = answer;
            const { created = 0, updated = 0, kept } = answer.result ?? {};
            if (kept !== false) count = created + updated;
        }).finally(() => {
            this.running = false;
            this.#begun = null;
            removeEventListener("beforeunload", unload);
        });
        if (this.behind && !this.#closed.signal.aborted) this.#tellEnd();
        return count;
    }

    /** Tries or runs the import; null where the connection broke and nothing was written. */
    async #send(dryRun: boolean): Promise<ImportAnswer | null> {
        await this.#sendAgain();
        keepMapping(this.type.name, this.#columns, this.mapping);
        const id = this.uploaded?.import ?? 0;
        const body = {
            mapping: this.mapping,
            mode: this.mode,
            ...(this.mode === "create" ? {} : { key: this.key }),
            ...(this.keepGoing ? { keepGoing: true } : {}),
            ...(this.decimal === null ? {} : { decimal: this.decimal }),
            ...(this.dates === null ? {} : { dates: this.dates }),
            ...(dryRun ? { dryRun: true } : {}),
        };
        try {
            const answer = await call<ImportAnswer>("POST", `import/${id}/run`, { body });
            const begun = answer.status === 202;
            // A trial leaves the file for the run.
            this.#used = begun && !dryRun;
            return begun ? await this.#wait(id) : answer.data;
        } catch (error) {
            const lost = error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
            if (!lost || dryRun) throw error;
        }
        // The answer was lost, and with it the end: the server knows it.
        const { state, dryRun: tried } = await stateOfJob(id, (now) => (this.job = now), this.#closed.signal);
        if (state === "uploaded" || tried === true) return null;
        this.#used = true;
        return this.#wait(id);
    }

    async #wait(id: number): Promise<ImportAnswer> {
        runningJobs.note(id);
        if (this.running) {
            this.#begun = id;
            if (this.behind) this.#handOver(id);
        }
        const ended = await waitForJob(id, (state) => (this.job = state), this.#closed.signal);
        runningJobs.seen(id);
        return ended as unknown as ImportAnswer;
    }

    /** Sends the file again where a job has used it up. */
    async #sendAgain(): Promise<void> {
        if (!this.#used || this.#upload === null) return;
        const next = await this.#sendFile(this.#upload);
        if (this.uploaded !== null) this.uploaded = { ...this.uploaded, import: next.import };
    }

    /** Saves the bad rows: those of the file itself where it is a text, else those that the server kept. */
    badRows(words: (problem: ImportAnswer["problems"][number]) => string): Promise<void> {
        return this.#attempt(async () => {
            const { uploaded, shown } = this;
            const { file } = this;
            const id = shown?.import ?? uploaded?.import ?? null;
            const told = { id, problems: shown?.problems ?? [], words };
            const rows = await saveBadRows(this.type.name, { file, format: uploaded?.format ?? "" }, told);
            if (rows < (shown?.failed ?? 0)) this.partial = rows;
        });
    }

    again(): void {
        this.step = 0;
        this.uploaded = null;
        this.trial = null;
        this.done = null;
        this.error = null;
        this.broken = false;
        this.changed = false;
    }
}
