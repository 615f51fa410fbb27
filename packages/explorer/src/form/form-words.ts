/** Strings of generated forms in all languages. They are loaded with the first form. */
import type { Language } from '../navigation/settings.ts'
import { language } from '../navigation/settings.ts'
import type { Fault } from './faults.ts'

interface FormWords {
  readonly faults: Readonly<Record<Fault, string>>
  readonly preview: string
  readonly remove: (name: string) => string
}

const FORM_WORDS: Readonly<Record<Language, FormWords>> = {
  en: {
    faults: {
      required: 'This is required.',
      number: 'Write a number, such as 12.5.',
      integer: 'Write a whole number.',
      range: 'This number is out of range.',
      length: 'This text is too short or too long.',
      reference: 'Choose one of the suggestions.',
      json: 'This is not valid JSON.',
      pattern: 'This does not have the form that is asked for.',
    },
    preview: 'Preview',
    remove: (name) => `Remove ${name}`,
  },
  de: {
    faults: {
      required: 'Hier wird etwas benötigt.',
      number: 'Bitte eine Zahl eingeben, etwa 12.5.',
      integer: 'Bitte eine ganze Zahl eingeben.',
      range: 'Diese Zahl liegt außerhalb der Grenzen.',
      length: 'Dieser Text ist zu kurz oder zu lang.',
      reference: 'Bitte einen der Vorschläge wählen.',
      json: 'Das ist kein gültiges JSON.',
      pattern: 'Das hat nicht die verlangte Form.',
    },
    preview: 'Vorschau',
    remove: (name) => `${name} entfernen`,
  },
  es: {
    faults: {
      required: 'Este campo es obligatorio.',
      number: 'Escriba un número, como 12.5.',
      integer: 'Escriba un número entero.',
      range: 'Este número está fuera de los límites.',
      length: 'Este texto es demasiado corto o demasiado largo.',
      reference: 'Elija una de las sugerencias.',
      json: 'Esto no es JSON válido.',
      pattern: 'Esto no tiene la forma que se pide.',
    },
    preview: 'Vista previa',
    remove: (name) => `Quitar ${name}`,
  },
  ar: {
    faults: {
      required: 'هذا الحقل مطلوب.',
      number: 'اكتب رقمًا، مثل 12.5.',
      integer: 'اكتب رقمًا صحيحًا.',
      range: 'هذا الرقم خارج الحدود.',
      length: 'هذا النص قصير جدًا أو طويل جدًا.',
      reference: 'اختر أحد الاقتراحات.',
      json: 'هذا ليس JSON صالحًا.',
      pattern: 'لا يطابق هذا الشكل المطلوب.',
    },
    preview: 'معاينة',
    remove: (name) => `إزالة ${name}`,
  },
}

/** Returns the strings of forms in the language in use. A view that reads them is rerendered when it changes. */
export function formWords(): FormWords {
  return FORM_WORDS[language.value]
}
