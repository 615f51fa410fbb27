/**
 * Damage to an index: a row's content is impossible or differs from what was written. An index with damage must be rebuilt
 * from the documents. Readers throw this error wherever they detect damage and never return results from such rows.
 */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage'
}
