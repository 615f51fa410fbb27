import { SourceFault } from '../bytes/source-fault.ts'

/** Signatures of files that cannot be read, each with its offset and the message. */
const REFUSED: readonly (readonly [starts: readonly string[], offset: number, message: string])[] = [
  [
    ['\xd0\xcf\x11\xe0'],
    0,
    'this is an old Excel workbook (.xls), or one with a password. Save it as .xlsx without a password',
  ],
  [
    ['SQLite format 3'],
    0,
    'this is a SQLite database. Name it in a definition as sqlite:, with table: or query:',
  ],
  [['%PDF-'], 0, 'this is a PDF. Export its table as .xlsx or CSV'],
  [['\x89PNG', '\xff\xd8\xff', 'GIF87a', 'GIF89a'], 0, 'this is a picture, and no data'],
  [['WEBPVP8'], 8, 'this is a picture, and no data'],
  [
    ['7z\xbc\xaf', 'Rar!\x1a', '\xfd7zXZ', '\x28\xb5\x2f\xfd'],
    0,
    'this is a packed file. Unpack it, or pack it as gzip',
  ],
  [['1AY&SY'], 4, 'this is a packed file. Unpack it, or pack it as gzip'],
  [['ustar'], 257, 'this is a tar archive. Unpack it, and name the files in it'],
  [
    ['Standard Jet DB', 'Standard ACE DB'],
    4,
    'this is an Access database. Export its tables as .xlsx or CSV',
  ],
  [['ARROW1\0', 'Obj\x01', '\x89HDF'], 0, 'this is a binary data file. Export it as Parquet or CSV'],
  [
    ['PGDMP'],
    0,
    'this is a dump of PostgreSQL. Restore it, and name the database in a definition as postgres:',
  ],
]

/** Patterns of text that contains no data, matched after leading white space, and their messages. */
const REFUSED_TEXT: readonly (readonly [start: RegExp, message: string])[] = [
  [/^(?:<!doctype html|<html|<head|<body|<table)/i, 'this is a web page (HTML). Save its table as CSV'],
  [/^<(?:\?xml[^>]*>\s*(?:<!--.*?-->\s*)*<)?(?:\w+:)?kml\b/is, 'this is KML. Convert it to GeoJSON'],
  [/^<(?:\?xml|!doctype|!--|[a-z_][\w.:-]*(?:\s[^>]*)?>.*<\/)/is, 'this is XML. Convert it to JSON or CSV'],
  [/^\{\\rtf/, 'this is a text document (RTF). Save its table as CSV'],
  [
    /^(?:--.*\n|\/\*.*?\*\/|\s)*(?:CREATE TABLE|INSERT INTO|BEGIN TRANSACTION|PRAGMA )/is,
    'this is SQL. Run it in a database, and name that in a definition as sqlite:, postgres: or mysql:',
  ],
]

/** Refuses bytes of an unreadable file type. `start` has one character per byte. @throws SourceFault */
export function refuseOtherBytes(start: string, name: string): void {
  const found = REFUSED.find(([starts, offset]) => starts.some((one) => start.startsWith(one, offset)))
  if (found) throw new SourceFault(`${name}: ${found[2]}.`)
}

/** Refuses text of an unreadable file type. `start` has no leading white space. @throws SourceFault */
export function refuseOtherText(start: string, name: string): void {
  const found = REFUSED_TEXT.find(([pattern]) => pattern.test(start.slice(0, 4096)))
  if (found) throw new SourceFault(`${name}: ${found[1]}.`)
}
