export interface Routes {
  [route: string]: { answer: any };
}
