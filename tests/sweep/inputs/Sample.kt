package sample

data class Point(val x: Int, val y: Int) {
    operator fun plus(other: Point) = Point(x + other.x, y + other.y)
}

sealed interface Shape
class Circle(val radius: Double) : Shape
class Square(val side: Double) : Shape

fun area(shape: Shape): Double = when (shape) {
    is Circle -> 3.0 * shape.radius * shape.radius
    is Square -> shape.side * shape.side
}

fun main() {
    val points = (1..10).map { Point(it, it * it) }
    println(points.reduce { a, b -> a + b })
    println(listOf(Circle(1.0), Square(2.0)).sumOf { area(it) })
}
