import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELD_BYTES, type OscSequence, SequenceFilter } from '../../../wrappers/pty/sequence-filter.ts';

interface Seen {
  out: string;
  commands: string[];
  modes: string[];
  mostHeld: number;
}

/** Runs chunks through a filter that replaces titles by `<text>` and swallows program status. */
function filtered(chunks: readonly Buffer[], osc?: (sequence: OscSequence) => Buffer | undefined): Seen {
  const commands: string[] = [];
  const modes: string[] = [];
  const filter = new SequenceFilter({
    osc: (sequence) => {
      commands.push(`${sequence.code}|${sequence.text.toString('utf8')}`);
      if (osc !== undefined) return osc(sequence);
      return sequence.code === '7501' ? undefined : Buffer.from(`<${sequence.text.toString('utf8')}>`);
    },
    mode: (parameters, final) => modes.push(parameters + final),
  });
  const out: Buffer[] = [];
  let mostHeld = 0;
  for (const chunk of chunks) {
    out.push(...filter.push(chunk));
    mostHeld = Math.max(mostHeld, filter.heldBytes);
  }
  out.push(filter.release());
  return { out: Buffer.concat(out).toString('latin1'), commands, modes, mostHeld };
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

const OUTPUT = Buffer.from(
  [
    'text € \x1b[31mred\x1b[0m\x1b[?2004h',
    '\x1b]0;✳ Claude Code\x07',
    '\x1b]7501;state=working:app=claude-code\x07',
    '\x1b]2;with ST\x1b\\',
    '\x1b]7501;?\x1b\\',
    '\x1b]8;;http://x\x07link\x1b]8;;\x1b\\',
    '\x1bP1$r0m\x1b\\\x1b(B\x1b[?1049h',
    '\x1b]0;broken\x1b[1m\x1b]0;\x07',
    '\x1b]10;?\x07\x1b]7;file://\x07end\x1b',
  ].join(''),
);

const EXPECTED: Seen = {
  ...filtered([OUTPUT]),
  commands: ['0|✳ Claude Code', '7501|state=working:app=claude-code', '2|with ST', '7501|?', '0|'],
  modes: ['?2004h', '?1049h'],
};

describe('what passes through the filter', () => {
  it('reads titles and program status with both terminators, and the modes that are set', () => {
    expect(filtered([OUTPUT])).toEqual(EXPECTED);
    expect(EXPECTED.out).toContain('\x1b]0;broken\x1b[1m<>');
    expect(EXPECTED.out).not.toContain('7501');
  });

  it('is the same wherever one cut is made', () => {
    for (let cut = 1; cut < OUTPUT.length; cut += 1) {
      const { out, commands, modes } = filtered(cutAt(OUTPUT, [cut]));
      expect([cut, out, commands, modes]).toEqual([cut, EXPECTED.out, EXPECTED.commands, EXPECTED.modes]);
    }
  });

  it('is the same byte by byte', () => {
    const single = filtered([...OUTPUT].map((byte) => Buffer.from([byte])));
    expect(single.out).toBe(EXPECTED.out);
    expect(single.commands).toEqual(EXPECTED.commands);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '\x1b]',
      '0;',
      '2;',
      '7501;',
      '\x07',
      '\x1b\\',
      '\x1b[',
      '?25l',
      'm',
      'P',
      '\x18',
      '€',
      '\n',
      'a',
    ),
    fc.string({ maxLength: 6 }),
  );
  const output = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));

  it('is the same for every output and every way to cut it', () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(), { maxLength: 12 }), (bytes, cuts) => {
        const whole = filtered([bytes]);
        const parts = filtered(cutAt(bytes, cuts));
        expect({ ...parts, mostHeld: 0 }).toEqual({ ...whole, mostHeld: 0 });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is what came in, byte for byte, when nothing is replaced', () => {
    const anything = fc.oneof(
      output,
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(anything, fc.array(fc.nat(), { maxLength: 12 }), (bytes, cuts) => {
        expect(filtered(cutAt(bytes, cuts), ({ whole }) => whole).out).toBe(bytes.toString('latin1'));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a command that never ends', () => {
  it('passes through untouched once it is longer than 8 KiB, and what follows is read again', () => {
    const endless = Buffer.from(`\x1b]0;${'x'.repeat(1_000_000)}`);
    const after = Buffer.from('\x07\x1b]7501;state=idle\x07.');
    const chunks = cutAt(Buffer.concat([endless, after]), [5, 100, 5_000, 9_000, 70_000, 500_000]);
    const { out, commands, mostHeld } = filtered(chunks);
    expect(out).toBe(`${endless.toString('latin1')}\x07.`);
    expect(commands).toEqual(['7501|state=idle']);
    expect(mostHeld).toBeLessThanOrEqual(HELD_BYTES);
  });

  it('is released when nothing follows, and its rest is no news', () => {
    const filter = new SequenceFilter({ osc: () => Buffer.from('replaced'), mode: () => {} });
    expect(filter.push(Buffer.from('a\x1b]0;half'))).toEqual([Buffer.from('a')]);
    expect(filter.release().toString()).toBe('\x1b]0;half');
    expect(Buffer.concat(filter.push(Buffer.from(' more\x07b'))).toString()).toBe(' more\x07b');
    expect(filter.isAtBoundary).toBe(true);
  });
});

describe('where something can be put in', () => {
  const boundaryAfter = (text: Buffer | string) => {
    const filter = new SequenceFilter({ osc: ({ whole }) => whole, mode: () => {} });
    for (const byte of Buffer.from(text)) filter.push(Buffer.from([byte]));
    return filter.isAtBoundary;
  };

  it.each(['', 'text', '\x1b[1m', '\x1b]0;t\x07', '\x1bPq\x1b\\', '€', '\x1b(B', 'a\n'])(
    'after %j',
    (text) => {
      expect(boundaryAfter(text)).toBe(true);
    },
  );

  it.each(['\x1b', '\x1b[1', '\x1b]0;t', '\x1b]8;;', '\x1bPq', '\x1bPq\x07', '\x1b('])(
    'not after %j',
    (text) => {
      expect(boundaryAfter(text)).toBe(false);
    },
  );

  it('not inside a character', () => {
    expect(boundaryAfter(Buffer.from('€').subarray(0, 2))).toBe(false);
    expect(boundaryAfter(Buffer.from('😀').subarray(0, 3))).toBe(false);
  });
});
