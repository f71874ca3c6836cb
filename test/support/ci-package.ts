/**
 * A package of `test/package.json`, which CI installs beside the tests; null where it is not installed, with a line that
 * says what is skipped. In CI that is an error.
 */
export async function ciPackage<T>(name: string, skipped: string): Promise<T | null> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    if (process.env["CI"] !== undefined) throw new Error(`CI needs ${name}: ${skipped}.`, { cause: error });
    console.warn(`${name} is not installed (npm run test:install): ${skipped} are SKIPPED.`);
    return null;
  }
}
