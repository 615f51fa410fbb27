/** What is wrong with a text, and where. */

/** A text that is no condition: the message can be read aloud, and says where it went wrong and what could stand there. */
export class Cql2SyntaxError extends Error {
  override readonly name = 'Cql2SyntaxError'
  /** Where in the text, in UTF-16 units from its beginning. */
  readonly position: number
  /** How many units are wrong; 0 at the end of the text. */
  readonly length: number

  constructor(message: string, position: number, length: number) {
    super(message)
    this.position = position
    this.length = length
  }
}
