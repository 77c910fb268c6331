// node --import tools/lib/web-packages.mjs: lets tests, which lie beside web/, import web's packages and TypeScript.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const web = new URL('../../web/package.json', import.meta.url);

/** A package not found from the importer is looked for from web/. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || /^[./]|^[a-z]+:/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: web.href });
  }
}

if (!import.meta.url.endsWith('?hooks')) {
  await import(pathToFileURL(createRequire(web).resolve('tsx')).href);
  register(`${import.meta.url}?hooks`);
}
