/** How a peer's package comes in: each is bundled or imported apart, so that none of them is needed to build the bench. */

/** Imports a package by its name. @throws when it is not installed or does not load here */
export type LoadPeer = (name: string) => Promise<unknown>;
