package sample

enum Tree[+A]:
  case Leaf
  case Node(left: Tree[A], value: A, right: Tree[A])

import Tree.*

def insert(tree: Tree[Int], value: Int): Tree[Int] = tree match
  case Leaf => Node(Leaf, value, Leaf)
  case Node(left, own, right) if value < own => Node(insert(left, value), own, right)
  case Node(left, own, right) => Node(left, own, insert(right, value))

def sum(tree: Tree[Int]): Int = tree match
  case Leaf => 0
  case Node(left, own, right) => sum(left) + own + sum(right)

@main def run(): Unit = println(sum(List(3, 1, 2).foldLeft(Leaf: Tree[Int])(insert)))
