/** EntryEdit: what a host's settings need so that the host starts `divisi mcp`. Adds only: what a person wrote keeps its value. */
export type EntryEdit =
  | { readonly kind: 'complete' }
  | {
      /** `extend`: there is an entry that does not name every variable. */
      readonly kind: 'add' | 'extend';
      /** As it is shown. */
      readonly added: string;
      /** The whole file with it. */
      readonly text: string;
      /** Variables that an existing entry does not name. */
      readonly lacks: readonly string[];
    }
  /** A person has to add it: the file cannot be edited without a risk to what is in it. */
  | { readonly kind: 'by-hand'; readonly why: string; readonly added: string };
