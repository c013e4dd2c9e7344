/** Most bytes that are held back for one sequence; a longer one passes through untouched. */
export const HELD_BYTES = 8_192;

const ESC = 0x1b;
const BEL = 0x07;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Operating system commands that are read: both kinds of titles, and program status. */
const CODES = ['0', '2', '7501'];
/** First bytes of DCS, SOS, PM and APC, which hold text up to their terminator as an OSC does. */
const STRING_STARTS: ReadonlySet<number> = new Set([0x50, 0x58, 0x5e, 0x5f]);
/** Private parameters begin with one of `<=>?`; only those of a control sequence are told. */
const isPrivateMark = (byte: number) => byte >= 0x3c && byte <= 0x3f;
const LONGEST_PARAMETERS = 64;

/** A whole operating system command. */
export interface OscSequence {
  code: string;
  text: Buffer;
  /** The sequence as it came, terminator included. */
  whole: Buffer;
}

export interface SequenceListener {
  /** A title or program status. Returns what is written in its place; undefined swallows it. */
  osc(sequence: OscSequence): Buffer | undefined;
  /** A control sequence with private parameters, such as `?1049` and `h`. */
  mode(parameters: string, final: string): void;
}

type State =
  | 'ground'
  | 'escape'
  | 'control'
  | 'code'
  | 'text'
  | 'text_escape'
  | 'osc_string'
  | 'string'
  | 'string_escape';

/**
 * Follows a terminal's output byte by byte. Bytes pass as they came, in slices of the read, save for the few commands that
 * the listener may replace: those are held from their escape byte until they are whole. However reads are cut, the same
 * bytes come out.
 */
export class SequenceFilter {
  readonly #listener: SequenceListener;
  #state: State = 'ground';
  /** True from an escape byte on, while the bytes may still become a command that is read. */
  #holding = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #code = '';
  #parameters = '';
  #collects = false;
  #endsAtBell = false;
  #tail: Buffer = Buffer.alloc(0);

  constructor(listener: SequenceListener) {
    this.#listener = listener;
  }

  /** Bytes that wait for the rest of their sequence. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** True where other sequences can be put in: outside of all sequences, and not inside a character. */
  get isAtBoundary(): boolean {
    return this.#state === 'ground' && !endsInsideCharacter(this.#tail);
  }

  /** Takes one read and returns what to write because of it, in order. */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    let passed = 0;
    /** Where the held bytes begin in this read; 0 when they began in an earlier one. */
    let begin = 0;
    let at = 0;
    const passHeld = () => {
      out.push(...this.#held);
      this.#letGo();
    };
    while (at < chunk.length) {
      if (this.#state === 'ground') {
        const next = chunk.indexOf(ESC, at);
        if (next === -1) break;
        const end = endOfPlainControl(chunk, next);
        at = end ?? next;
        if (end !== undefined) continue;
      }
      const byte = chunk[at] ?? 0;
      if (byte === ESC && this.#state !== 'text') {
        // Whatever was under way is over, or ends with the next byte.
        if (this.#holding) passHeld();
        this.#holding = true;
        begin = at;
        this.#state = this.#state === 'osc_string' || this.#state === 'string' ? 'string_escape' : 'escape';
        at += 1;
        continue;
      }
      if (this.#state === 'text_escape' && byte !== BACKSLASH) {
        // The escape byte broke the command off and begins another sequence; it may lie in an earlier read.
        const escapeIsHere = at > 0;
        if (this.#holding) {
          const held = Buffer.concat(this.#held);
          out.push(escapeIsHere ? held : held.subarray(0, -1));
          this.#letGo();
          if (!escapeIsHere) this.#keep(Buffer.from([ESC]));
          this.#holding = true;
          begin = escapeIsHere ? at - 1 : 0;
        }
        this.#state = 'escape';
      }
      const step = this.#step(byte);
      at += 1;
      if (!this.#holding) continue;
      if (step === 'whole') {
        if (this.#held.length === 0) out.push(chunk.subarray(passed, begin));
        const whole = Buffer.concat([...this.#held, chunk.subarray(begin, at)]);
        this.#letGo();
        const replacement = this.#listener.osc(this.#sequence(whole));
        if (replacement !== undefined) out.push(replacement);
        passed = at;
      } else if (step === 'other') {
        passHeld();
      } else if (this.#heldBytes + at - begin > HELD_BYTES) {
        passHeld();
        this.#forgetCommand();
      }
    }
    if (this.#holding) {
      if (this.#held.length === 0) out.push(chunk.subarray(passed, begin));
      this.#keep(Buffer.from(chunk.subarray(begin)));
    } else {
      out.push(chunk.subarray(passed));
    }
    this.#tail = Buffer.from(
      chunk.length >= 3 ? chunk.subarray(-3) : Buffer.concat([this.#tail, chunk]).subarray(-3),
    );
    return out.filter((bytes) => bytes.length > 0);
  }

  /** Gives up what is held back: the output is over, or nothing followed for a while. */
  release(): Buffer {
    const bytes = Buffer.concat(this.#held);
    this.#letGo();
    if (this.#state === 'text' || this.#state === 'text_escape') this.#forgetCommand();
    return bytes;
  }

  /** The command under way has passed: only its end is still looked for. */
  #forgetCommand(): void {
    this.#state = this.#state === 'text_escape' ? 'string_escape' : 'osc_string';
    this.#endsAtBell = true;
  }

  /** Moves on by one byte. `whole`: a command that is read is complete; `other`: what is held is none. */
  #step(byte: number): 'more' | 'whole' | 'other' {
    if (byte === CANCEL || byte === SUBSTITUTE) return this.#other('ground');
    switch (this.#state) {
      case 'escape':
        return this.#afterEscape(byte);
      case 'control':
        return this.#control(byte);
      case 'code':
        return this.#codeByte(byte);
      case 'text':
        if (byte === ESC) this.#state = 'text_escape';
        if (byte === BEL) return this.#whole();
        return 'more';
      case 'text_escape':
        return this.#whole();
      case 'osc_string':
      case 'string':
        return byte === BEL && this.#endsAtBell ? this.#other('ground') : 'other';
      case 'string_escape':
        return byte === BACKSLASH ? this.#other('ground') : this.#afterEscape(byte);
      default:
        return 'other';
    }
  }

  #afterEscape(byte: number): 'more' | 'other' {
    if (byte === CLOSE_BRACKET) {
      this.#state = 'code';
      this.#code = '';
      return 'more';
    }
    if (byte === OPEN_BRACKET) {
      this.#parameters = '';
      this.#collects = false;
      return this.#other('control');
    }
    if (STRING_STARTS.has(byte)) {
      this.#endsAtBell = false;
      return this.#other('string');
    }
    // Intermediate bytes are followed by one more; everything else ends here.
    return this.#other(byte >= 0x20 && byte <= 0x2f ? 'escape' : 'ground');
  }

  #control(byte: number): 'other' {
    if (byte >= 0x40 && byte <= 0x7e) {
      this.#state = 'ground';
      if (this.#collects) this.#listener.mode(this.#parameters, String.fromCharCode(byte));
      return 'other';
    }
    if (this.#parameters === '' && isPrivateMark(byte)) this.#collects = true;
    if (this.#collects && this.#parameters.length < LONGEST_PARAMETERS) {
      this.#parameters += String.fromCharCode(byte);
    } else if (!this.#collects) {
      this.#parameters = '-';
    }
    return 'other';
  }

  #codeByte(byte: number): 'more' | 'other' {
    if (byte === SEMICOLON && CODES.includes(this.#code)) {
      this.#state = 'text';
      return 'more';
    }
    this.#code += String.fromCharCode(byte);
    if (CODES.some((code) => code.startsWith(this.#code))) return 'more';
    this.#endsAtBell = true;
    return this.#other(byte === BEL ? 'ground' : 'osc_string');
  }

  #whole(): 'whole' {
    this.#state = 'ground';
    return 'whole';
  }

  #other(next: State): 'other' {
    this.#state = next;
    return 'other';
  }

  #sequence(whole: Buffer): OscSequence {
    const end = whole.at(-1) === BEL ? whole.length - 1 : whole.length - 2;
    // `ESC ]`, the code, `;`
    return { code: this.#code, text: whole.subarray(this.#code.length + 3, end), whole };
  }

  #keep(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #letGo(): void {
    this.#holding = false;
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/**
 * The end of a control sequence that tells us nothing (colours, moves of the cursor), which most are, or undefined where
 * the one at `start` is another or does not end in this read: then it is followed byte by byte.
 */
function endOfPlainControl(chunk: Buffer, start: number): number | undefined {
  if (chunk[start + 1] !== OPEN_BRACKET) return undefined;
  let at = start + 2;
  for (let byte = chunk[at]; byte !== undefined && byte >= 0x20 && byte < 0x3c; byte = chunk[at]) at += 1;
  const final = chunk[at] ?? 0;
  return final >= 0x40 && final <= 0x7e ? at + 1 : undefined;
}

/** True when the last bytes begin a UTF-8 character that they do not end. */
function endsInsideCharacter(tail: Buffer): boolean {
  for (let back = 1; back <= tail.length; back += 1) {
    const byte = tail[tail.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
