/** Kinds of secrets: by vendor, or by the place they are found in. */
export type SecretKind =
  | 'anthropic'
  | 'assignment'
  | 'authorization'
  | 'aws'
  | 'cookie'
  | 'digitalocean'
  | 'github'
  | 'gitlab'
  | 'google'
  | 'huggingface'
  | 'jwt'
  | 'npm'
  | 'openai'
  | 'private-key'
  | 'pypi'
  | 'sendgrid'
  | 'slack'
  | 'stripe'
  | 'telegram'
  | 'url-credentials'
  /** Of a vendor without a kind of its own. */
  | 'vendor-token'
  | 'webhook';

/** Records that a secret was found and returns the marker that takes its place. */
export type MarkSecret = (kind: SecretKind, secret: string) => string;
