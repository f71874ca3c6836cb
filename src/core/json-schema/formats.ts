import { z } from "zod";

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  date: z.iso.date(),
  time: z.iso.time(),
  "date-time": z.iso.datetime({ offset: true }),
  email: z.email(),
  uri: z.url(),
  uuid: z.uuid(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
};

/** Whether a text has a format; one that nobody knows it has. */
export const isFormat = (format: string, text: string): boolean =>
  !Object.hasOwn(FORMATS, format) || FORMATS[format]?.safeParse(text).success === true;
