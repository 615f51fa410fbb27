/** Thrown for a source that is missing, damaged, a folder, or of a type that no format reads. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}
