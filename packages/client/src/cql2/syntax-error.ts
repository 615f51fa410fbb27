/** Syntax errors in conditions, with their position in the text. */

/** A text that is no condition: the message is readable aloud, and says where the error is and what was expected there. */
export class Cql2SyntaxError extends Error {
  override readonly name = 'Cql2SyntaxError'
  /** Position of the error in the text, in UTF-16 units. */
  readonly position: number
  /** Length of the erroneous part, in UTF-16 units; 0 at the end of the text. */
  readonly length: number

  constructor(message: string, position: number, length: number) {
    super(message)
    this.position = position
    this.length = length
  }
}
