/** Labels, units and formats of displayed values, for pages and the explorer. Free of Node.js. */

export { COMPASS, TRUTH, UNITS } from './english.ts'
export {
  columnsOf,
  declaredFields,
  type Field,
  fieldOf,
  fieldsAlong,
  NAMES,
  presentFields,
} from './fields.ts'
export { numberText, placeText, timeOf, timeText } from './numbers.ts'
export { isNumber, isObject, isReference, member, resolved, textMember, typesOf, valueAt } from './schema.ts'
export { gapBefore, isCoordinate, isLabelNumber, namedField, unitText } from './units.ts'
export {
  BODIES,
  bodyMemberOf,
  bodyOf,
  type Kind,
  kindOf,
  LATITUDE,
  LONGITUDE,
  type Outlined,
  outlineOf,
  type Place,
  placeOf,
  referenceIn,
} from './values.ts'
