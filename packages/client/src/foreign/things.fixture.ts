/** Entities of the worlds of `shapes.fixture.ts`. */

/** Entity of the served worlds, before a shape gives names to its members. */
export interface Thing {
  readonly type: string
  readonly id: string
  readonly title: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Types of the served worlds. The second one has characters that a URL must encode. */
export const TYPES = ['lib:book', 'lib:art/fine print'] as const

/** Integer beyond the safe ones, as it stands in the bodies. */
export const BIG = '9007199254740993'

/** Entities of the served worlds, by type and number. */
export const THINGS: readonly Thing[] = TYPES.flatMap((type, kind) =>
  Array.from({ length: [23, 7][kind] ?? 0 }, (_, index) => {
    const number = String(index + 1).padStart(2, '0')
    return {
      type,
      id: [`b-${number}`, `shelf/b ${number}`][index % 2] ?? '',
      title: `${['Book', 'Print'][kind]} ${number}`,
      attributes: {
        isbn: `97803161485${number}`,
        copies: (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(BIG),
        pages: 100 + index,
        subject: { place: 'Nantucket' },
      },
    }
  }),
)
