/**
 * What the rows of an index say cannot be, or a row is not what was written: nothing of the index can be trusted, and it is to
 * be built from the documents again. Readers throw it wherever they notice; they never answer from such rows.
 */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage'
}
