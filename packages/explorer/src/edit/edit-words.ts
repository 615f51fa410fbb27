/** Strings of the editor in all languages. They are loaded with the editor, which readers never load. */
import { language } from '../navigation/settings.ts'

const WORDS = {
  edit: { en: 'Edit', de: 'Bearbeiten', es: 'Editar', ar: 'تحرير' },
  create: { en: 'New', de: 'Neu', es: 'Nuevo', ar: 'جديد' },
  publish: { en: 'Publish view', de: 'Ansicht veröffentlichen', es: 'Publicar vista', ar: 'نشر العرض' },
  delete: { en: 'Delete', de: 'Löschen', es: 'Eliminar', ar: 'حذف' },
  save: { en: 'Save', de: 'Speichern', es: 'Guardar', ar: 'حفظ' },
  undo: { en: 'Undo', de: 'Rückgängig', es: 'Deshacer', ar: 'تراجع' },
  summary: { en: 'Summary', de: 'Zusammenfassung', es: 'Resumen', ar: 'الملخص' },
  id: { en: 'Id', de: 'Kennung', es: 'Identificador', ar: 'المعرّف' },
  idHint: {
    en: 'If it is empty, a new id is made.',
    de: 'Bleibt sie leer, so wird eine neue vergeben.',
    es: 'Si se deja vacío, se crea uno nuevo.',
    ar: 'إذا تُرك فارغًا يُنشأ معرّف جديد.',
  },
  idTaken: {
    en: 'There is already an entity with this id.',
    de: 'Diese Kennung ist schon vergeben.',
    es: 'Ya existe una entidad con este identificador.',
    ar: 'يوجد كيان بهذا المعرّف بالفعل.',
  },
  confirm: {
    en: (name: string) => `Delete ${name}?`,
    de: (name: string) => `${name} löschen?`,
    es: (name: string) => `¿Eliminar ${name}?`,
    ar: (name: string) => `حذف ${name}؟`,
  },
  edited: {
    en: (name: string) => `${name} is saved.`,
    de: (name: string) => `${name} ist gespeichert.`,
    es: (name: string) => `${name} se ha guardado.`,
    ar: (name: string) => `حُفظ ${name}.`,
  },
  deleted: {
    en: (name: string) => `${name} is deleted.`,
    de: (name: string) => `${name} ist gelöscht.`,
    es: (name: string) => `${name} se ha eliminado.`,
    ar: (name: string) => `حُذف ${name}.`,
  },
  undone: {
    en: (name: string) => `The change of ${name} is undone.`,
    de: (name: string) => `Die Änderung von ${name} ist rückgängig gemacht.`,
    es: (name: string) => `Se ha deshecho el cambio de ${name}.`,
    ar: (name: string) => `أُلغي تغيير ${name}.`,
  },
  changed: {
    en: 'This has been changed meanwhile.',
    de: 'Dies wurde inzwischen geändert.',
    es: 'Esto ha cambiado entretanto.',
    ar: 'تغيّر هذا في الأثناء.',
  },
  choose: {
    en: 'Choose what to keep of each value that both of you changed.',
    de: 'Bitte zu jedem Wert, den beide geändert haben, wählen, was gelten soll.',
    es: 'Elija qué conservar de cada valor que ambos han cambiado.',
    ar: 'اختر ما يُحتفظ به من كل قيمة غيّرها كلاكما.',
  },
  mine: { en: 'Yours', de: 'Eigener Wert', es: 'El suyo', ar: 'قيمتك' },
  theirs: { en: 'Theirs', de: 'Fremder Wert', es: 'El de la otra persona', ar: 'قيمة الآخر' },
  before: { en: 'Before both', de: 'Vor beiden', es: 'El anterior a ambos', ar: 'القيمة قبل التغييرين' },
  kept: {
    en: 'Also changed by others, and kept:',
    de: 'Auch von anderen geändert und übernommen:',
    es: 'También cambiado por otros, y conservado:',
    ar: 'غيّره آخرون أيضًا، ويبقى كما غيّروه:',
  },
  gone: {
    en: 'Somebody else has deleted this entity.',
    de: 'Jemand anderes hat dies gelöscht.',
    es: 'Otra persona ha eliminado esta entidad.',
    ar: 'حذف شخص آخر هذا الكيان.',
  },
  again: { en: 'Create it again', de: 'Noch einmal anlegen', es: 'Crearla de nuevo', ar: 'إنشاؤه من جديد' },
  discard: {
    en: 'Discard my changes',
    de: 'Änderungen verwerfen',
    es: 'Descartar mis cambios',
    ar: 'تجاهل تغييراتي',
  },
  select: { en: 'Select', de: 'Auswählen', es: 'Seleccionar', ar: 'تحديد' },
  all: { en: 'Select all loaded', de: 'Alle geladenen', es: 'Todas las cargadas', ar: 'كل ما حُمّل' },
  what: { en: 'What to change', de: 'Was ändern', es: 'Qué cambiar', ar: 'ما الذي يتغيّر' },
  selected: { en: 'Selected', de: 'Ausgewählt', es: 'Seleccionadas', ar: 'المحدّد' },
  set: { en: 'Set a value', de: 'Wert setzen', es: 'Fijar un valor', ar: 'تعيين قيمة' },
  remove: { en: 'Remove the value', de: 'Wert entfernen', es: 'Quitar el valor', ar: 'إزالة القيمة' },
  done: { en: 'Done', de: 'Erledigt', es: 'Hechas', ar: 'تم' },
  unchanged: { en: 'Unchanged', de: 'Unverändert', es: 'Sin cambios', ar: 'لم يتغيّر' },
  conflict: { en: 'Conflict', de: 'Konflikt', es: 'Conflicto', ar: 'تعارض' },
  refused: { en: 'Refused', de: 'Abgelehnt', es: 'Rechazadas', ar: 'مرفوض' },
  unsure: { en: 'Perhaps written', de: 'Vielleicht geschrieben', es: 'Quizá escritas', ar: 'ربما كُتب' },
  import: { en: 'Import a table', de: 'Tabelle einlesen', es: 'Importar una tabla', ar: 'استيراد جدول' },
  file: { en: 'CSV file', de: 'CSV-Datei', es: 'Archivo CSV', ar: 'ملف CSV' },
  fileHint: {
    en: 'The first row names the id and the attributes. At most 2,000 rows and 5 MB; world import reads larger files.',
    de: 'Die erste Zeile nennt die Kennung und die Attribute. Höchstens 2.000 Zeilen und 5 MB; größere Dateien liest world import.',
    es: 'La primera fila nombra el identificador y los atributos. Como máximo 2.000 filas y 5 MB; world import lee archivos mayores.',
    ar: 'يسمّي الصف الأول المعرّف والسمات. ٢٠٠٠ صف و٥ ميغابايت على الأكثر؛ يقرأ world import الملفات الأكبر.',
  },
  unread: {
    en: 'This is not such a file in UTF-8.',
    de: 'Das ist keine solche Datei in UTF-8.',
    es: 'No es un archivo así en UTF-8.',
    ar: 'ليس هذا ملفًا كهذا بترميز UTF-8.',
  },
  rows: { en: 'Rows', de: 'Zeilen', es: 'Filas', ar: 'الصفوف' },
  ignored: {
    en: 'Columns left out',
    de: 'Ausgelassene Spalten',
    es: 'Columnas omitidas',
    ar: 'أعمدة متروكة',
  },
  missing: {
    en: 'Required, without a column',
    de: 'Benötigt, ohne Spalte',
    es: 'Obligatorios, sin columna',
    ar: 'مطلوبة بلا عمود',
  },
  update: {
    en: 'Also change entities that exist. Empty cells change nothing.',
    de: 'Auch Vorhandenes ändern. Leere Zellen ändern nichts.',
    es: 'Cambiar también las entidades que existen. Las celdas vacías no cambian nada.',
    ar: 'غيّر الكيانات الموجودة أيضًا. لا تغيّر الخلايا الفارغة شيئًا.',
  },
  cell: {
    en: 'This cannot be read.',
    de: 'Das ist nicht lesbar.',
    es: 'No se puede leer.',
    ar: 'لا تمكن قراءة هذا.',
  },
  cells: {
    en: 'The row has another number of cells than the first one.',
    de: 'Die Zeile hat eine andere Zahl von Zellen als die erste.',
    es: 'La fila tiene un número de celdas distinto de la primera.',
    ar: 'عدد خلايا هذا الصف يختلف عن الأول.',
  },
  twice: {
    en: 'An earlier row has this id.',
    de: 'Eine frühere Zeile hat diese Kennung.',
    es: 'Una fila anterior tiene este identificador.',
    ar: 'لصف سابق هذا المعرّف.',
  },
  left: { en: 'Not tried', de: 'Nicht versucht', es: 'Sin intentar', ar: 'لم يُجرَّب' },
}

/** Returns the strings of the editor in the language in use. A view that reads them is rerendered when it changes. */
export function editWords(): { readonly [Name in keyof typeof WORDS]: (typeof WORDS)[Name]['en'] } {
  const own = Object.entries(WORDS).map(([name, all]) => [name, all[language.value]])
  return Object.fromEntries(own)
}
