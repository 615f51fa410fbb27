/** Strings of the editor in all languages. They are loaded with the editor, which readers never load. */
import type { Language } from '../navigation/settings.ts'
import { language } from '../navigation/settings.ts'

const EN = {
  edit: 'Edit',
  create: 'New',
  publish: 'Publish view',
  delete: 'Delete',
  save: 'Save',
  undo: 'Undo',
  summary: 'Summary',
  id: 'Id',
  idHint: 'If it is empty, a new id is made.',
  idTaken: 'There is already an entity with this id.',
  confirm: (name: string) => `Delete ${name}?`,
  edited: (name: string) => `${name} is saved.`,
  deleted: (name: string) => `${name} is deleted.`,
  undone: (name: string) => `The change of ${name} is undone.`,
  changed: 'This has been changed meanwhile.',
  choose: 'Choose what to keep of each value that both of you changed.',
  mine: 'Yours',
  theirs: 'Theirs',
  before: 'Before both',
  kept: 'Also changed by others, and kept:',
  gone: 'Somebody else has deleted this entity.',
  again: 'Create it again',
  discard: 'Discard my changes',
}

/** Strings of the editor in one language. */
export type EditWords = typeof EN

const DE: EditWords = {
  edit: 'Bearbeiten',
  create: 'Neu',
  publish: 'Ansicht veröffentlichen',
  delete: 'Löschen',
  save: 'Speichern',
  undo: 'Rückgängig',
  summary: 'Zusammenfassung',
  id: 'Kennung',
  idHint: 'Bleibt sie leer, so wird eine neue vergeben.',
  idTaken: 'Diese Kennung ist schon vergeben.',
  confirm: (name) => `${name} löschen?`,
  edited: (name) => `${name} ist gespeichert.`,
  deleted: (name) => `${name} ist gelöscht.`,
  undone: (name) => `Die Änderung von ${name} ist rückgängig gemacht.`,
  changed: 'Dies wurde inzwischen geändert.',
  choose: 'Bitte zu jedem Wert, den beide geändert haben, wählen, was gelten soll.',
  mine: 'Eigener Wert',
  theirs: 'Fremder Wert',
  before: 'Vor beiden',
  kept: 'Auch von anderen geändert und übernommen:',
  gone: 'Jemand anderes hat dies gelöscht.',
  again: 'Noch einmal anlegen',
  discard: 'Änderungen verwerfen',
}

const ES: EditWords = {
  edit: 'Editar',
  create: 'Nuevo',
  publish: 'Publicar vista',
  delete: 'Eliminar',
  save: 'Guardar',
  undo: 'Deshacer',
  summary: 'Resumen',
  id: 'Identificador',
  idHint: 'Si se deja vacío, se crea uno nuevo.',
  idTaken: 'Ya existe una entidad con este identificador.',
  confirm: (name) => `¿Eliminar ${name}?`,
  edited: (name) => `${name} se ha guardado.`,
  deleted: (name) => `${name} se ha eliminado.`,
  undone: (name) => `Se ha deshecho el cambio de ${name}.`,
  changed: 'Esto ha cambiado entretanto.',
  choose: 'Elija qué conservar de cada valor que ambos han cambiado.',
  mine: 'El suyo',
  theirs: 'El de la otra persona',
  before: 'El anterior a ambos',
  kept: 'También cambiado por otros, y conservado:',
  gone: 'Otra persona ha eliminado esta entidad.',
  again: 'Crearla de nuevo',
  discard: 'Descartar mis cambios',
}

const AR: EditWords = {
  edit: 'تحرير',
  create: 'جديد',
  publish: 'نشر العرض',
  delete: 'حذف',
  save: 'حفظ',
  undo: 'تراجع',
  summary: 'الملخص',
  id: 'المعرّف',
  idHint: 'إذا تُرك فارغًا يُنشأ معرّف جديد.',
  idTaken: 'يوجد كيان بهذا المعرّف بالفعل.',
  confirm: (name) => `حذف ${name}؟`,
  edited: (name) => `حُفظ ${name}.`,
  deleted: (name) => `حُذف ${name}.`,
  undone: (name) => `أُلغي تغيير ${name}.`,
  changed: 'تغيّر هذا في الأثناء.',
  choose: 'اختر ما يُحتفظ به من كل قيمة غيّرها كلاكما.',
  mine: 'قيمتك',
  theirs: 'قيمة الآخر',
  before: 'القيمة قبل التغييرين',
  kept: 'غيّره آخرون أيضًا، ويبقى كما غيّروه:',
  gone: 'حذف شخص آخر هذا الكيان.',
  again: 'إنشاؤه من جديد',
  discard: 'تجاهل تغييراتي',
}

const ALL: Readonly<Record<Language, EditWords>> = { en: EN, de: DE, es: ES, ar: AR }

/** Returns the strings of the editor in the language in use. A view that reads them is rerendered when it changes. */
export function editWords(): EditWords {
  return ALL[language.value]
}
