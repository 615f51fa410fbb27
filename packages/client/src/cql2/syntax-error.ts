/** Syntax errors in the text form of CQL2. */

/** Thrown for invalid CQL2 text. The message says where the error is and what was expected there. */
export class Cql2SyntaxError extends Error {
  override readonly name = 'Cql2SyntaxError'
  /** Position of the error in the text, in UTF-16 code units. */
  readonly position: number
  /** Length of the invalid part, in UTF-16 code units; 0 at the end of the text. */
  readonly length: number

  constructor(message: string, position: number, length: number) {
    super(message)
    this.position = position
    this.length = length
  }
}
