/** A file that is no workbook, or a damaged one. The message is a sentence without its full stop. */
export class WorkbookFault extends Error {
  override readonly name = 'WorkbookFault'
}
