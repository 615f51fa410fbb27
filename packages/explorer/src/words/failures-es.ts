import type { Words } from './en.ts'

/** Strings for each failure cause, in Spanish. */
export const FAILURES_ES: Words['failures'] = {
  notAWorld: {
    title: 'Esto no es un mundo',
    text: 'Algo responde en esta dirección, pero no con el documento de descubrimiento que todo mundo publica en /.well-known/world.json.',
    wayOut:
      'Compruebe la dirección: un mundo se abre por su origen, por ejemplo https://sol.example, sin ruta.',
  },
  otherVersion: {
    title: 'Este mundo habla otra versión',
    text: 'Es un mundo, pero de una versión del protocolo que esta página no lee.',
    wayOut: 'Busque un explorador más nuevo, o pregunte al operador si también ofrece world/0.1.',
  },
  offline: {
    title: 'No hay conexión',
    text: 'Este navegador no está conectado a ninguna red en este momento.',
    wayOut: 'Conéctese e inténtelo de nuevo. Lo que ya se leyó sigue tras el botón Atrás.',
  },
  unreachable: {
    title: 'No llegó ninguna respuesta',
    text: 'O nadie escucha en esta dirección, o responde sin las cabeceras CORS que permiten leerla a una página de otro origen. Un navegador no dice cuál de las dos cosas ocurre.',
    wayOut:
      'Compruebe la dirección, y pregunte al operador si se envía Access-Control-Allow-Origin. Los programas fuera de un navegador no lo necesitan: npx worldwright explore ORIGIN muestra un mundo así.',
  },
  mixedContent: {
    title: 'Una página segura no puede leer por http',
    text: 'Esta página se cargó por https, y los navegadores no le permiten leer un mundo por http.',
    wayOut: 'Abra el explorador que el propio mundo sirve en su dirección, o use su dirección https.',
  },
  timeout: {
    title: 'El mundo tarda demasiado',
    text: 'No respondió en el tiempo que esta página espera.',
    wayOut: 'Puede que esté ocupado o dormido. Inténtelo de nuevo dentro de un momento.',
  },
  notFound: {
    title: 'Esta entidad no existe',
    text: 'El mundo responde, pero no conoce nada con este tipo y este id. Quizá se eliminó, o el enlace es antiguo.',
    wayOut: 'Mire en la lista de su tipo, o búsquela.',
  },
  unknownType: {
    title: 'Este tipo no existe',
    text: 'El mundo responde, pero no conoce este tipo de entidad.',
    wayOut: 'Sus tipos están en su portada.',
  },
  needsToken: {
    title: 'Para esto hace falta un token',
    text: 'Aquí no se dio ninguno, o el mundo no acepta el que se dio.',
    wayOut:
      'Introduzca un token que le haya dado su operador. Solo se envía a la API de este mundo, y se olvida con esta pestaña.',
  },
  insecure: {
    title: 'El token no puede ir a la API de este mundo',
    text: 'La API está en otro origen que el mundo, donde alguien podría reunir tokens, o en http, donde cualquiera por el camino podría leerlos. El token no se envió.',
    wayOut: 'Abra el mundo por la dirección https de su API, u olvide el token.',
  },
  forbidden: {
    title: 'Este mundo se niega',
    text: 'Entendió la petición y no la permite.',
    wayOut: 'Pregunte a su operador.',
  },
  busy: {
    title: 'El mundo pide paciencia',
    text: 'Tiene más peticiones de las que puede atender, o solo permite cierto número a la vez.',
    wayOut: 'Espere el tiempo que indica y vuelva a intentarlo.',
  },
  moved: {
    title: 'El mundo se ha mudado',
    text: 'Su API ya no está donde estaba, o en esta dirección responde otro mundo.',
    wayOut: 'Ábralo de nuevo desde su origen.',
  },
  badCursor: {
    title: 'Este punto de la lista ya no existe',
    text: 'El enlace indica un punto de la lista que el mundo ya no reconoce.',
    wayOut: 'Muestre la lista desde el principio.',
  },
  badOrigin: {
    title: 'Esta no es la dirección de un mundo',
    text: 'Un mundo se abre por su origen: esquema, servidor y puerto, y nada más.',
    wayOut: 'Escríbala así: https://sol.example o http://localhost:8080',
  },
  refused: {
    title: 'El mundo no acepta esta petición',
    text: 'Abajo dice qué tiene de malo.',
    wayOut: 'Cambie la petición, o vuelva atrás.',
  },
  serverFault: {
    title: 'El mundo tiene un fallo',
    text: 'Algo salió mal por su parte.',
    wayOut: 'Inténtelo de nuevo. Si persiste, comunique al operador el id de la petición que figura abajo.',
  },
  strange: {
    title: 'Esta respuesta no se puede leer',
    text: 'Llegó una respuesta, pero es demasiado grande, no termina o no es JSON.',
    wayOut: 'Inténtelo de nuevo, o mírela tal como se recibió.',
  },
  unrecognised: {
    title: 'Esta respuesta no se reconoció',
    text: 'Los mundos eligen sus nombres con libertad. Aquí no se sabe dónde guarda este su lista, o qué indica si la lista continúa.',
    wayOut: 'Mire la respuesta tal como se recibió, e indique los nombres a mano en «Acerca de este mundo».',
  },
  ownFault: {
    title: 'Esta página tiene un fallo',
    text: 'El fallo es del explorador, no del mundo.',
    wayOut:
      'Vuelva atrás o recargue la página, y comunique lo que figura abajo a los autores de Worldwright.',
  },
}
