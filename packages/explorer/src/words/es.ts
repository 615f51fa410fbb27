/** Everything the page says, in Spanish. */
import { ABOUT_ES } from './about-es.ts'
import { ASK_ES } from './ask-es.ts'
import type { Words } from './en.ts'
import { FAILURES_ES } from './failures-es.ts'
import { pluralIn } from './plural.ts'
import { VIEWS_ES } from './views-es.ts'

const plural = pluralIn<'one' | 'many'>('es')

/** The words of the page in Spanish. */
export const ES: Words = {
  app: {
    name: 'Worldwright',
    skip: 'Ir al contenido',
    about: 'Acerca de este mundo',
    settings: 'Ajustes',
    keys: 'Teclado',
    language: 'Idioma',
    scheme: 'Colores',
    auto: 'Como el sistema',
    light: 'Claros',
    dark: 'Oscuros',
    close: 'Cerrar',
    openOther: 'Abrir otro mundo',
    loading: 'Cargando…',
    slow: (host, seconds) => `Esperando a ${host}; van ${seconds} s.`,
    askingAgainIn: (host, seconds) => `${host} pide paciencia: se le volverá a preguntar en ${seconds} s.`,
    cancel: 'Cancelar',
    stop: 'Dejar de esperar',
    stopped: 'Interrumpido.',
    retry: 'Intentarlo de nuevo',
    retryIn: (seconds) => `Intentarlo de nuevo en ${seconds} s`,
    toWorld: 'A la portada de este mundo',
    toStart: 'Abrir otro mundo',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'Aquí no se permite copiar',
    more: 'Mostrar todo',
    moreOf: (count) => `Mostrar los ${count} caracteres`,
    less: 'Mostrar menos',
    yes: 'sí',
    no: 'no',
    newWindow: 'se abre en otra pestaña',
    notRecognised: 'no reconocido',
    unseen: (code) => `Carácter invisible ${code}`,
  },
  start: {
    title: 'Explore cualquier mundo',
    text: 'Un mundo publica entidades con tipos que todos pueden leer y buscar; para ello basta su dirección.',
    label: 'Dirección de un mundo',
    placeholder: 'https://sol.example',
    open: 'Abrir',
    invalid: 'Esta no es la dirección de un mundo. Escríbala así: https://sol.example',
    recent: 'Abiertos hace poco',
    noRecent: 'Los mundos que abra se recordarán aquí, solo en este navegador.',
    forget: (name) => `Olvidar ${name}`,
  },
  home: {
    entities: (count) =>
      plural(count, { one: 'Una entidad', many: `${count} de entidades`, other: `${count} entidades` }),
    types: (count) => plural(count, { one: 'Un tipo', many: `${count} de tipos`, other: `${count} tipos` }),
    typesTitle: 'Qué contiene',
    noTypes: 'Este mundo no enumera ningún tipo. Quizá la búsqueda encuentre algo de todos modos.',
    unknownTypes:
      'No se reconocieron tipos en el documento de descubrimiento. Mírelo, o indique los nombres a mano.',
    searchAll: 'Mostrar todo',
    all: (count) => `Todos: ${count}`,
    examples: 'Por ejemplo',
    empty: 'Todavía nada',
    surprise: 'Sorpréndame',
    map: (count) => `Mapa con ${count} de ellos`,
  },
  search: {
    label: 'Buscar en este mundo',
    placeholder: 'Buscar',
    clear: 'Borrar la búsqueda',
    title: 'Búsqueda',
    results: (count) =>
      plural(count, { one: 'Un resultado', many: `${count} de resultados`, other: `${count} resultados` }),
    resultsFor: (count, text) =>
      plural(count, {
        one: `Un resultado de «${text}»`,
        many: `${count} de resultados de «${text}»`,
        other: `${count} resultados de «${text}»`,
      }),
    atLeast: (count) => `al menos ${count}`,
    shown: (count) =>
      plural(count, {
        one: 'Se muestra un resultado',
        many: `Se muestran ${count} de resultados`,
        other: `Se muestran ${count} resultados`,
      }),
    showing: (shown, total) => `Los mejores ${shown} de ${total}`,
    filters: 'Tipos',
    anyType: 'Todos los tipos',
    reset: 'Mostrar todos los tipos',
    allTypes: (count) => `Los ${count} tipos`,
    more: 'Mostrar más',
    most: (count) =>
      `Estos son los mejores ${count}; no se muestran más. Añada una palabra o elija un tipo para acotar la búsqueda.`,
    none: (text) => `Nada coincide con «${text}»`,
    noneAtAll: 'Aquí todavía no hay nada',
    noneHint: 'Pruebe con menos palabras o con otras; basta el comienzo de una palabra.',
    noneFiltered: (count) =>
      plural(count, {
        one: 'Sin el filtro por tipo hay uno.',
        many: `Sin el filtro por tipo hay ${count}.`,
        other: `Sin el filtro por tipo hay ${count}.`,
      }),
    partial:
      'La búsqueda terminó antes de tiempo porque tardaba demasiado: estos son los mejores resultados hallados hasta entonces, y puede haber más.',
    also: 'También coincide:',
    busy: 'Buscando…',
  },
  list: {
    view: 'Disposición',
    download: 'Descargar',
    noFiles: 'No hay ningún archivo de esto.',
    loses: 'Pierde:',
    downloadAs: (count, format) =>
      count === undefined
        ? `Descargar todas las filas como ${format}`
        : `Descargar ${count} filas como ${format}`,
    downloadFirst: (most, total, format) => `Descargar las primeras ${most} de ${total} filas como ${format}`,
    reading: (read, total) =>
      total === undefined ? `${read} filas leídas` : `${read} de ${total} filas leídas`,
    saved: (count) =>
      plural(count, {
        one: 'Se guardó una fila.',
        many: `Se guardaron ${count} de filas.`,
        other: `Se guardaron ${count} filas.`,
      }),
    savedFirst: (count) => `Se guardaron las primeras ${count} filas; hay más.`,
    notSaved: (why) => `No se guardó nada: ${why}`,
    loaded: (loaded, total) => `${loaded} de ${total} cargados`,
    loadedOnly: (loaded) => `${loaded} cargados`,
    allLoaded: (total) => `Todo cargado: ${total}`,
    loadMore: 'Cargar más',
    loading: 'Cargando más…',
    middle: (before) => `Esta lista empieza después de otros ${before}.`,
    middleUnknown: 'Esta lista no empieza por el principio.',
    fromStart: 'Desde el principio',
    earlier: 'Mostrar los anteriores',
    title: 'Título',
    id: 'Id',
    empty: 'Este tipo todavía no tiene entidades.',
    received: 'La última página, tal como se recibió',
    end: 'Fin de la lista',
    search: 'Buscar en este tipo',
    items: (count) =>
      plural(count, { one: '1 elemento', many: `${count} de elementos`, other: `${count} elementos` }),
    news: (created, changed) =>
      [
        created.number > 0 &&
          plural(created, { one: '1 nuevo', many: `${created} nuevos`, other: `${created} nuevos` }),
        changed.number > 0 &&
          plural(changed, { one: '1 cambiado', many: `${changed} cambiados`, other: `${changed} cambiados` }),
      ]
        .filter(Boolean)
        .join(', '),
  },
  ask: ASK_ES,
  views: VIEWS_ES,
  entity: {
    id: 'Id',
    attributes: 'Atributos',
    meanings: {
      what: 'Qué es',
      measures: 'Medidas',
      times: 'Fechas',
      relations: 'Relacionado',
      place: 'Lugar',
      names: 'Otros nombres',
      ids: 'Identificadores',
    },
    none: 'No se reconoció ningún atributo. Abajo está el JSON tal como se recibió.',
    explain: 'Explicar los campos',
    created: 'Creado',
    updated: 'Modificado',
    revision: 'Revisión',
    raw: 'Como JSON',
    changed: 'Esto ha cambiado. Mostrarlo',
    neighbours: 'Anterior y siguiente',
    use: 'Leerlo por cuenta propia',
    curl: 'curl',
    fetch: 'fetch',
    client: 'Cliente',
    world: 'Orden',
    missing: 'no está en este mundo',
    unknownTitle: 'título desconocido',
    elsewhere: 'en otro mundo',
    map: 'Lugar',
    mapOf: (place, body) => `Mapa (${body}) con un punto en ${place}`,
    mapEarth: 'la Tierra',
    mapLoading: 'Dibujando el mapa…',
    mapOther: 'No se conoce ningún contorno de este cuerpo: las líneas son grados.',
    mapRough: 'Dibujo aproximado: las grandes llanuras y similares, como círculos del tamaño registrado.',
    north: 'N',
    south: 'S',
    east: 'E',
    west: 'O',
    picture: (host) => `Mostrar la imagen de ${host}`,
    pictureAlt: (label) => `Imagen: ${label}`,
    pictureFailed: 'No se pudo mostrar la imagen.',
    moreItems: (count) => `Mostrar ${count} más`,
    members: (count) =>
      plural(count, { one: '1 miembro', many: `${count} de miembros`, other: `${count} miembros` }),
    items: (count) =>
      plural(count, { one: '1 elemento', many: `${count} de elementos`, other: `${count} elementos` }),
    expand: 'Desplegar todo',
    fold: 'Plegar todo',
    tooDeep: 'Los niveles más profundos están abajo, en el JSON.',
  },
  ...ABOUT_ES,
  lost: {
    title: 'Este enlace no lleva a ninguna parte',
    text: 'La parte de la dirección que sigue a # no la hizo esta página.',
  },
  keys: {
    title: 'Teclado',
    search: 'Ir a la búsqueda',
    down: 'Resultado siguiente o anterior',
    enter: 'De la búsqueda al mejor resultado; en un resultado, abrirlo',
    escape: 'Borrar la búsqueda; desde un resultado, volver a la búsqueda',
    help: 'Esta ayuda',
  },
  failures: FAILURES_ES,
  token: {
    label: 'Token',
    use: 'Usar este token',
    forget: 'Olvidar el token',
    invalid: 'Un token no tiene espacios ni letras que no sean ASCII.',
  },
  failureFacts: {
    code: 'Código',
    status: 'Estado',
    url: 'Dirección',
    requestId: 'Id de la petición',
    said: 'Dice',
    details: 'Detalles',
  },
  units: {
    days: 'días',
    hours: 'horas',
    minutes: 'minutos',
    seconds: 'segundos',
    years: 'años',
    months: 'meses',
    weeks: 'semanas',
    lightYears: 'años luz',
    earths: '× Tierra',
    jupiters: '× Júpiter',
    suns: '× Sol',
  },
}
