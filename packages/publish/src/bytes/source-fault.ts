/** A source that cannot be read: missing, a folder, damaged, or of a kind that no format reads. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}
