/**
 * Damage to an index: the content of its rows is impossible, or a row is not what was written. Nothing in the index can be
 * trusted, and it must be rebuilt from the documents. Readers throw it wherever they notice; they never answer from such rows.
 */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage'
}
