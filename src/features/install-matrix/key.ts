/** What the Authorization header holds: a placeholder, never a key. */
export const AUTHORIZATION = "Bearer YOUR_API_KEY";
